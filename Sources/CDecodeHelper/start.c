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
#include <stdatomic.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "CDecodeHelper.h"

extern char **environ;

static const char name_of_helper[] = "classicphotos-decoder";
static atomic_uint cancelled_number;

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

int chelper_spawn(int socket, pid_t *pid) {
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
    // A process group of its own: Ctrl-C in a terminal means the program, which then stops in order.
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    if (!status) status = posix_spawnattr_setsigmask(&attributes, &none);
    if (!status) status = posix_spawnattr_setsigdefault(&attributes, &all);
    if (!status) status = posix_spawnattr_setpgroup(&attributes, 0);
    if (!status) {
        status = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    }
    char name[sizeof name_of_helper];
    memcpy(name, name_of_helper, sizeof name);
    char *arguments[] = {name, NULL};
    // The file that runs, even where it has been replaced on disk since.
    if (!status) status = posix_spawn(pid, "/proc/self/exe", &files, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (moved >= 0) close(moved);
    return status;
}

void chelper_cancel(pid_t pid, uint32_t number) {
    // The number goes with the signal, so that one that comes late cannot hit the next request.
    union sigval value = {.sival_int = (int)number};
    sigqueue(pid, SIGUSR1, value);
}

int chelper_is_cancelled(uint32_t number) {
    return atomic_load_explicit(&cancelled_number, memory_order_relaxed) == number;
}

static void on_cancel(int signal, siginfo_t *info, void *context) {
    (void)signal;
    (void)context;
    atomic_store_explicit(&cancelled_number, (unsigned)info->si_value.sival_int, memory_order_relaxed);
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

static void start_watch(void) {
    // All signals blocked: the one that cancels must interrupt no thread but those that decode.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    if (pthread_create(&thread, NULL, watch_program, NULL)) _exit(1);
    pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/// Nobody runs a program under this name with a socket in this place by mistake.
static int is_helper(int count, char **arguments) {
    int kind = 0;
    socklen_t size = sizeof kind;
    return count == 1 && arguments && arguments[0] && strcmp(arguments[0], name_of_helper) == 0
        && getsockopt(CHELPER_SOCKET, SOL_SOCKET, SO_DOMAIN, &kind, &size) == 0 && kind == AF_UNIX;
}

/// Runs before `main`, so that every program that has this library in it can be its own helper, and none needs to be
/// installed beside it; test bundles too.
__attribute__((constructor)) static void start(int count, char **arguments) {
    if (!is_helper(count, arguments)) return;
    prctl(PR_SET_NAME, "photo-decoder");
    struct sigaction action = {.sa_sigaction = on_cancel, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    // A crash ends the helper at once: no runtime may look for reasons with the means of a program that it is not.
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0] && !chelper_is_sanitized(); i++) {
        signal(crashes[i], SIG_DFL);
    }
    start_watch();
    chelper_serve();
    _exit(0);
}
