// Loaded into a program before its libraries (LD_PRELOAD): kills or stops the process just before the nth of its calls that change
// something in a folder or, for a store over plain HTTP, of its requests that do, and before it sees their answers, whichever thread makes
// it. Without a number it only counts. Or, with STEP_ERROR, that call and all later ones that need room on the disk fail with this error.
//
// STEP_FOLDER is the folder, or how the paths of the requests begin, STEP_NUMBER the number from 1, STEP_SIGNAL the signal's number, and to
// STEP_LOG goes a line: the call and the file that it was about to change.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long steps;

/// Returns the error that the call is to fail with, if it needs room; 0 for none.
static int step(const char *call, const char *path) {
    const char *folder = getenv("STEP_FOLDER"), *number = getenv("STEP_NUMBER"), *log = getenv("STEP_LOG");
    const char *error = getenv("STEP_ERROR");
    if (!folder || !number || !log || !path || strncmp(path, folder, strlen(folder)) != 0) return 0;
    long left = atol(number) - (atomic_fetch_add(&steps, 1) + 1);
    if (left != 0) return left < 0 && error ? atoi(error) : 0;
    char line[PATH_MAX + 64];
    int count = snprintf(line, sizeof line, "%s %s\n", call, path);
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    syscall(SYS_write, descriptor, line, count);
    syscall(SYS_close, descriptor);
    if (error) return atoi(error);
    kill(getpid(), atoi(getenv("STEP_SIGNAL")));
    // Other threads may be quicker than the signal.
    if (atoi(getenv("STEP_SIGNAL")) == SIGKILL) for (;;) pause();
    return 0;
}

static int step_of(const char *call, int descriptor) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(link, path, sizeof path - 1);
    if (count < 0) return 0;
    path[count] = 0;
    return step(call, path);
}

/// What is asked for over each connection, until the answer is there.
static char asked[1024][512];

/// Notes a request, if its method changes something.
static void note_request(int descriptor, const char *bytes, size_t count) {
    if (descriptor < 0 || descriptor >= 1024) return;
    static const char *const methods[] = {"PUT ", "POST ", "DELETE "};
    for (int i = 0; i < 3; i++) {
        size_t start = strlen(methods[i]);
        if (count <= start || strncmp(bytes, methods[i], start) != 0) continue;
        const char *end = memchr(bytes + start, ' ', count - start);
        size_t length = end ? (size_t)(end - bytes) - start : 0;
        if (length == 0 || length >= sizeof asked[0]) return;
        memcpy(asked[descriptor], bytes + start, length);
        asked[descriptor][length] = 0;
        step("request", asked[descriptor]);
    }
}

#define FAIL_IF(step)        \
    do {                     \
        int error = step;    \
        if (error) {         \
            errno = error;   \
            return -1;       \
        }                    \
    } while (0)
#define NEXT(name) static __typeof__(name) *next; if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

// Its mode means something only with O_CREAT.
#define STEP_OF_OPEN(name)                       \
    int name(const char *path, int flags, ...) { \
        NEXT(name);                              \
        va_list list;                            \
        va_start(list, flags);                   \
        mode_t mode = va_arg(list, mode_t);      \
        va_end(list);                            \
        if (flags & O_CREAT) FAIL_IF(step("open", path)); \
        return next(path, flags, mode);          \
    }

STEP_OF_OPEN(open)
STEP_OF_OPEN(open64)

ssize_t write(int descriptor, const void *bytes, size_t count) {
    NEXT(write);
    FAIL_IF(step_of("write", descriptor));
    return next(descriptor, bytes, count);
}

int ftruncate(int descriptor, off_t length) {
    NEXT(ftruncate);
    FAIL_IF(step_of("ftruncate", descriptor));
    return next(descriptor, length);
}

int fdatasync(int descriptor) {
    NEXT(fdatasync);
    step_of("fdatasync", descriptor);
    return next(descriptor);
}

int fsync(int descriptor) {
    NEXT(fsync);
    step_of("fsync", descriptor);
    return next(descriptor);
}

int link(const char *from, const char *to) {
    NEXT(link);
    FAIL_IF(step("link", to));
    return next(from, to);
}

int rename(const char *from, const char *to) {
    NEXT(rename);
    step("rename", to);
    return next(from, to);
}

int unlink(const char *path) {
    NEXT(unlink);
    step("unlink", path);
    return next(path);
}

ssize_t send(int descriptor, const void *bytes, size_t count, int flags) {
    NEXT(send);
    note_request(descriptor, bytes, count);
    return next(descriptor, bytes, count, flags);
}

/// The answer is there, and the program does not know it yet. That it may go on with the body is no answer.
ssize_t recv(int descriptor, void *bytes, size_t count, int flags) {
    NEXT(recv);
    ssize_t received = next(descriptor, bytes, count, flags);
    if (received > 12 && descriptor >= 0 && descriptor < 1024 && asked[descriptor][0] && memcmp(bytes, "HTTP/1.1 100", 12) != 0) {
        step("answer", asked[descriptor]);
        asked[descriptor][0] = 0;
    }
    return received;
}
