#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CDecodeHelper.h"

extern char **environ;

/// What a helper says by its end where its decoder got no memory.
enum { STATUS_OF_NO_MEMORY = 12 };

static const char name_of_helper[] = "classicphotos-decoder";
static const char *const names_of_rooms[] = {[CHELPER_PICTURES] = "pictures", [CHELPER_DRAWINGS] = "drawings"};

/// What the loader and sanitizers take from the environment; nothing else of it is for helpers.
static const char *const variables[] = {"LD_LIBRARY_PATH", "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS"};
enum { VARIABLES = sizeof variables / sizeof variables[0] };

int chelper_is_sanitized(void) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
    return 1;
#else
    return 0;
#endif
}

int chelper_is_in_program(void) {
    Dl_info program, here;
    void *entry = (void *)getauxval(AT_ENTRY);
    return entry && dladdr(entry, &program) && dladdr((void *)chelper_serve, &here)
        && program.dli_fbase == here.dli_fbase;
}

int chelper_socket_pair(int sockets[2]) {
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0 ? 0 : errno;
}

int chelper_spawn(int socket, enum chelper_room room, pid_t *pid, int *handle) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    // The socket's own number must survive until it is copied, and a copy onto itself would stay close-on-exec.
    int moved = fcntl(socket, F_DUPFD_CLOEXEC, CHELPER_SOCKET + 1);
    int status = moved < 0 ? errno : 0;
    if (!status) status = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!status) status = posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    // Libraries write about hostile files; nobody but a sanitizer has something to say to people.
    if (!status && !chelper_is_sanitized()) {
        status = posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    }
    if (!status) status = posix_spawn_file_actions_adddup2(&files, moved, CHELPER_SOCKET);
    if (!status) status = posix_spawn_file_actions_addclosefrom_np(&files, CHELPER_SOCKET + 1);
    // A session of its own, without a terminal: Ctrl-C means the program, which then stops in order, and nothing can
    // be typed in a person's name.
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    if (!status) status = posix_spawnattr_setsigmask(&attributes, &none);
    if (!status) status = posix_spawnattr_setsigdefault(&attributes, &all);
    if (!status) {
        status = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    }
    // posix_spawn changes none of these.
    char *const arguments[] = {(char *)name_of_helper, (char *)names_of_rooms[room], NULL};
    char *environment[VARIABLES + 1] = {NULL};
    for (char **entry = environ, **next = environment; entry && *entry; entry++) {
        for (size_t i = 0; i < VARIABLES; i++) {
            size_t length = strlen(variables[i]);
            if (next < environment + VARIABLES && !strncmp(*entry, variables[i], length) && (*entry)[length] == '=') {
                *next++ = *entry;
            }
        }
    }
    // The file that runs, even where it has been replaced on disk since.
    if (!status) status = posix_spawn(pid, "/proc/self/exe", &files, &attributes, arguments, environment);
    // Old kernels have none.
    *handle = status ? -1 : (int)syscall(SYS_pidfd_open, *pid, 0);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (moved >= 0) close(moved);
    return status;
}

enum chelper_ending chelper_ending(pid_t pid) {
    for (int tries = 0; tries < 1000; tries++) {
        siginfo_t end = {0};
        // Collected by somebody else, or by the system where the program ignores the signal.
        if (waitid(P_PID, (id_t)pid, &end, WEXITED | WNOWAIT | WNOHANG)) return CHELPER_UNKNOWN;
        if (end.si_pid == pid) {
            if (end.si_code == CLD_EXITED) {
                return end.si_status == STATUS_OF_NO_MEMORY ? CHELPER_OUT_OF_MEMORY : CHELPER_CRASHED;
            }
            switch (end.si_status) {
            case SIGSEGV:
            case SIGBUS:
            case SIGILL:
            case SIGFPE:
            case SIGABRT:
            case SIGTRAP:
            case SIGSYS: return CHELPER_CRASHED;
            case SIGXCPU: return CHELPER_OUT_OF_TIME;
            default: return CHELPER_KILLED;
            }
        }
        usleep(1000);
    }
    return CHELPER_UNKNOWN;
}

static void wait_for(pid_t pid) {
    // Somebody else may collect it, if the program waits for all children.
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
}

void chelper_end(pid_t pid, int handle) {
    if (handle >= 0) {
        long sent = syscall(SYS_pidfd_send_signal, handle, SIGKILL, NULL, 0);
        int has_ended = sent < 0 && errno == ESRCH;
        close(handle);
        if (sent == 0 || has_ended) {
            wait_for(pid);
            return;
        }
    }
    // As long as it is not collected the number is its own.
    if (waitpid(pid, NULL, WNOHANG) == 0) {
        kill(pid, SIGKILL);
        wait_for(pid);
    }
}

int chelper_is_cancelled(void) {
    char byte;
    int before = errno;
    int is_cancelled = recv(CHELPER_SOCKET, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0;
    // There is nothing to read nearly always, which is not what failed last.
    errno = before;
    return is_cancelled;
}

/// Ends a helper whose decoder has crashed. Many do where they get no memory: GLib, Rust and C++ end the process, others take
/// a null for an address. `malloc` tells the thread so, and nothing but another failure changes what it told.
static void end_after_crash(int signal) {
    (void)signal;
    _exit(errno == ENOMEM ? STATUS_OF_NO_MEMORY : 1);
}

/// Ends the helper when the program has ended, also in the middle of a decode.
///
/// PR_SET_PDEATHSIG would do so when the THREAD that started the helper ends, and workers come and go.
static void *watch_program(void *context) {
    (void)context;
    struct pollfd end = {.fd = CHELPER_SOCKET, .events = POLLRDHUP};
    for (;;) {
        if (poll(&end, 1, -1) > 0 && (end.revents & (POLLHUP | POLLRDHUP | POLLERR | POLLNVAL))) _exit(0);
    }
    return NULL;
}

void chelper_watch_program(void) {
    // No signal interrupts it.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    if (pthread_create(&thread, NULL, watch_program, NULL)) _exit(1);
    pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/// Which room the arguments name; -1 if this is no helper. Nobody runs a program under this name with a socket in this
/// place by mistake.
static int room_of_helper(int count, char **arguments) {
    int kind = 0;
    socklen_t size = sizeof kind;
    if (count != 2 || !arguments || strcmp(arguments[0], name_of_helper) != 0
        || getsockopt(CHELPER_SOCKET, SOL_SOCKET, SO_DOMAIN, &kind, &size) != 0 || kind != AF_UNIX) return -1;
    for (int room = CHELPER_PICTURES; room <= CHELPER_DRAWINGS; room++) {
        if (strcmp(arguments[1], names_of_rooms[room]) == 0) return room;
    }
    return -1;
}

/// Runs before `main`, so that every program that has this library in it can be its own helper, and none needs to be
/// installed beside it; test bundles too.
__attribute__((constructor)) static void start(int count, char **arguments) {
    int room = room_of_helper(count, arguments);
    if (room < 0) return;
    prctl(PR_SET_NAME, "photo-decoder");
    if (!chelper_is_sanitized()) clearenv();
    // A crash ends the helper at once: no runtime may look for reasons with the means of a program that it is not.
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0] && !chelper_is_sanitized(); i++) {
        signal(crashes[i], end_after_crash);
    }
    chelper_serve((uint32_t)room);
    _exit(0);
}
