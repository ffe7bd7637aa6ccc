// Loaded into a program before its libraries (LD_PRELOAD): kills or stops the process just before the nth of its calls that change
// something in a folder, whichever thread makes it. Without a number it only counts.
//
// STEP_FOLDER is the folder, STEP_NUMBER the number from 1, STEP_SIGNAL the signal's number, and to STEP_LOG goes a line: the call and
// the file that it was about to change.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long steps;

static void step(const char *call, const char *path) {
    const char *folder = getenv("STEP_FOLDER"), *number = getenv("STEP_NUMBER"), *log = getenv("STEP_LOG");
    if (!folder || !number || !log || !path || strncmp(path, folder, strlen(folder)) != 0) return;
    if (atomic_fetch_add(&steps, 1) + 1 != atol(number)) return;
    char line[PATH_MAX + 64];
    int count = snprintf(line, sizeof line, "%s %s\n", call, path);
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    syscall(SYS_write, descriptor, line, count);
    syscall(SYS_close, descriptor);
    kill(getpid(), atoi(getenv("STEP_SIGNAL")));
    // Other threads may be quicker than the signal.
    if (atoi(getenv("STEP_SIGNAL")) == SIGKILL) for (;;) pause();
}

static void step_of(const char *call, int descriptor) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(link, path, sizeof path - 1);
    if (count < 0) return;
    path[count] = 0;
    step(call, path);
}

#define NEXT(name) static __typeof__(name) *next; if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

// Its mode means something only with O_CREAT.
#define STEP_OF_OPEN(name)                       \
    int name(const char *path, int flags, ...) { \
        NEXT(name);                              \
        va_list list;                            \
        va_start(list, flags);                   \
        mode_t mode = va_arg(list, mode_t);      \
        va_end(list);                            \
        if (flags & O_CREAT) step("open", path); \
        return next(path, flags, mode);          \
    }

STEP_OF_OPEN(open)
STEP_OF_OPEN(open64)

ssize_t write(int descriptor, const void *bytes, size_t count) {
    NEXT(write);
    step_of("write", descriptor);
    return next(descriptor, bytes, count);
}

int ftruncate(int descriptor, off_t length) {
    NEXT(ftruncate);
    step_of("ftruncate", descriptor);
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
    step("link", to);
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
