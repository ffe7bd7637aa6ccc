#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CDecodeHelper.h>

#include "attacker.h"

// A program with a decode helper in whose place somebody hostile runs: started, confined and ended as the helpers of
// ImageCodecs are, it tries whatever a decoder that was taken over would.
//   decode-attacker pictures|drawings confined|free|poor FOLDER
// In a poor system neither calls nor files can be confined, as some containers have it. It prints a line for each attack: whether it was done, and its name.

/// What the attacker says about one attack.
struct outcome {
    char name[64];
    int is_done;
    int reads_files;
};

static void say(const char *name, int is_done, int reads_files) {
    struct outcome outcome = {.is_done = is_done, .reads_files = reads_files};
    snprintf(outcome.name, sizeof outcome.name, "%s", name);
    send(CHELPER_SOCKET, &outcome, sizeof outcome, MSG_NOSIGNAL);
}

/// Tries each in a process of its own where one can be made, so that none stands in the next one's way.
static void try_all(const struct attack *attacks, size_t count, const struct target *target) {
    for (size_t i = 0; i < count; i++) {
        pid_t child = fork();
        if (child == 0) _exit(attacks[i].attempt(target) ? 0 : 1);
        int status = 1;
        if (child > 0) waitpid(child, &status, 0);
        int is_done = child > 0 ? status == 0 : attacks[i].attempt(target);
        say(attacks[i].name, is_done, attacks[i].reads_files);
    }
}

void chelper_serve(uint32_t room) {
    struct target target;
    if (recv(CHELPER_SOCKET, &target, sizeof target, MSG_WAITALL) != sizeof target) _exit(1);
    // What is there before anything is confined.
    extern char **environ;
    int has_secret = 0;
    for (char **entry = environ; entry && *entry; entry++) has_secret |= strstr(*entry, secret_words) != NULL;
    char environment[4096] = "";
    int file = open("/proc/self/environ", O_RDONLY);
    ssize_t count = file < 0 ? 0 : read(file, environment, sizeof environment);
    if (file >= 0) close(file);
    has_secret |= count > 0 && memmem(environment, (size_t)count, secret_words, strlen(secret_words)) != NULL;
    unsigned missing = target.is_confined ? chelper_confine((enum chelper_room)room) : 0;
    if (target.is_confined) chelper_watch_program();
    send(CHELPER_SOCKET, &missing, sizeof missing, MSG_NOSIGNAL);
    int64_t memory = chelper_memory_at_start();
    send(CHELPER_SOCKET, &memory, sizeof memory, MSG_NOSIGNAL);
    // Its limits are set as those of a helper are before a file comes.
    if (recv(CHELPER_SOCKET, &memory, sizeof memory, MSG_WAITALL) != sizeof memory) _exit(1);
    say("inherit the environment", has_secret, 0);
    try_all(attacks_on_files, count_on_files, &target);
    try_all(attacks_on_processes, count_on_processes, &target);
    try_all(attacks_on_the_system, count_on_the_system, &target);
}

static void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(2);
}

static void write_file(const char *path, const char *text, mode_t mode) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
    if (file < 0 || write(file, text, strlen(text)) < 0) fail(path);
    close(file);
}

/// Becomes an ordinary user: against root most walls are none.
static void drop_rights(void) {
    const uid_t nobody = 65534;
    if (geteuid() != 0) return;
    if (setgroups(0, NULL) || setresgid(nobody, nobody, nobody) || setresuid(nobody, nobody, nobody)) {
        fail("becoming an ordinary user");
    }
    // Like a program that this user has started.
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
}

static int listen_on(int kind, const void *address, socklen_t size) {
    int file = socket(kind, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file < 0 || bind(file, address, size) || listen(file, 8)) fail("listening");
    return file;
}

/// From here on the system refuses to confine anything by its calls.
static void refuse_to_confine(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    static const int calls[] = {444, 445, 446};
    int status = !filter || seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(seccomp), 0)
        || seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_SECCOMP));
    // Those of Landlock, which older libraries have no names for.
    for (int i = 0; !status && i < 3; i++) status = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), calls[i], 0);
    if (status || seccomp_load(filter)) fail("making the system poor");
    seccomp_release(filter);
}

int main(int count, char **arguments) {
    if (count != 4) return 2;
    enum chelper_room room = strcmp(arguments[1], "drawings") == 0 ? CHELPER_DRAWINGS : CHELPER_PICTURES;
    drop_rights();
    int is_poor = strcmp(arguments[2], "poor") == 0;
    if (is_poor) refuse_to_confine();
    static char secret[sizeof secret_words];
    memcpy(secret, secret_words, sizeof secret);
    struct target target = {.is_confined = strcmp(arguments[2], "free") != 0, .program = getpid()};
    target.secret = (uintptr_t)secret;
    snprintf(target.folder, sizeof target.folder, "%s", arguments[3]);
    write_file(inside(&target, "private"), secret, 0600);
    write_file(inside(&target, "file"), "text", 0644);
    write_file(inside(&target, "spare"), "", 0644);
    write_file(inside(&target, "spareat"), "", 0644);
    if (mkdir(inside(&target, "empty"), 0700)) fail("making a folder");
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    snprintf(local.sun_path, sizeof local.sun_path, "%s", inside(&target, "socket"));
    listen_on(AF_UNIX, &local, sizeof local);
    struct sockaddr_in internet = {.sin_family = AF_INET};
    internet.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof internet;
    int port = listen_on(AF_INET, &internet, size);
    if (getsockname(port, (struct sockaddr *)&internet, &size)) fail("listening");
    target.port = ntohs(internet.sin_port);

    // Without a new program the environment that this one began with would not be what it hands down.
    if (!getenv("ATTACKED")) return 2;
    int ends[2], handle;
    pid_t helper;
    if (chelper_socket_pair(ends) || chelper_spawn(ends[1], room, &helper, &handle)) fail("starting the helper");
    close(ends[1]);
    unsigned missing = 0;
    if (send(ends[0], &target, sizeof target, MSG_NOSIGNAL) != sizeof target
        || recv(ends[0], &missing, sizeof missing, MSG_WAITALL) != sizeof missing) fail("talking to the helper");
    int64_t memory = 0;
    if (recv(ends[0], &memory, sizeof memory, MSG_WAITALL) != sizeof memory) fail("talking to the helper");
    if (target.is_confined && chelper_limit(helper, memory, 256 << 20, 600)) fail("limiting the helper");
    if (send(ends[0], &memory, sizeof memory, MSG_NOSIGNAL) != sizeof memory) fail("talking to the helper");
    printf("missing %u\n", missing);
    struct outcome outcome;
    size_t outcomes = 0;
    while (recv(ends[0], &outcome, sizeof outcome, MSG_WAITALL) == sizeof outcome) {
        printf("%s%s %s\n", outcome.is_done ? "done" : "refused", outcome.reads_files ? " (files)" : "", outcome.name);
        outcomes++;
    }
    close(ends[0]);
    chelper_end(helper, handle);
    return outcomes == 1 + count_on_files + count_on_processes + count_on_the_system ? 0 : 1;
}
