#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "rooms.h"

#define ALLOW(call, ...) allow(filter, SCMP_SYS(call), (struct scmp_arg_cmp[]){__VA_ARGS__}, \
    sizeof((struct scmp_arg_cmp[]){__VA_ARGS__}) / sizeof(struct scmp_arg_cmp))
#define ALLOW_ANY(...) allow_any(filter, (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

/// An architecture need not have every call; one that is missing there is refused like all others.
static void allow(scmp_filter_ctx filter, int call, const struct scmp_arg_cmp *arguments, unsigned count) {
    seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, count, arguments);
}

static void allow_any(scmp_filter_ctx filter, const int *calls, size_t count) {
    for (size_t i = 0; i < count; i++) seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0);
}

/// Memory, threads, time: what computing needs. None of it names a file or another process.
static void allow_computing(scmp_filter_ctx filter) {
    ALLOW_ANY(
        SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(futex), SCMP_SYS(rseq),
        SCMP_SYS(set_robust_list), SCMP_SYS(set_tid_address), SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_yield),
        SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
        SCMP_SYS(sigaltstack), SCMP_SYS(restart_syscall), SCMP_SYS(getrandom),
        SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(gettimeofday), SCMP_SYS(time),
        SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep), SCMP_SYS(getrusage), SCMP_SYS(sysinfo), SCMP_SYS(getpid),
        SCMP_SYS(gettid));
    // The end of its computing time is not ignored. Decoders ask for no signal behind that one, and a larger number
    // could be the same to the kernel, which looks at its lower half only.
    ALLOW(rt_sigaction, SCMP_A0(SCMP_CMP_LT, SIGXCPU));
    // Nothing that was written can be run, and there is no memory that the limit does not count.
    ALLOW(
        mmap, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0), SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_GROWSDOWN, 0));
    ALLOW(mprotect, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    // Threads, but neither processes nor rooms of their own. clone3 hides its flags behind a pointer; without it
    // libraries take clone.
    const unsigned threads = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD;
    const unsigned more = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET
        | CLONE_NEWCGROUP | CLONE_PTRACE | CLONE_VFORK | CLONE_PARENT;
    ALLOW(clone, SCMP_A0(SCMP_CMP_MASKED_EQ, threads | more, threads));
    ALLOW(prctl, SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME));
    // For abort, by which decoders end themselves.
    ALLOW(tgkill, SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()), SCMP_A2(SCMP_CMP_EQ, SIGABRT));
    // Its own limits are read only: the program sets them, from outside.
    ALLOW(prlimit64, SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A2(SCMP_CMP_EQ, 0));
}

/// The socket to the program, without addresses and without descriptors that could come along, and words of libraries
/// for nobody.
static void allow_talking(scmp_filter_ctx filter) {
    ALLOW(recvfrom, SCMP_A0(SCMP_CMP_EQ, CHELPER_SOCKET));
    ALLOW(sendto, SCMP_A0(SCMP_CMP_EQ, CHELPER_SOCKET), SCMP_A4(SCMP_CMP_EQ, 0));
    ALLOW_ANY(SCMP_SYS(poll), SCMP_SYS(ppoll));
    ALLOW(write, SCMP_A0(SCMP_CMP_EQ, STDERR_FILENO));
    ALLOW(write, SCMP_A0(SCMP_CMP_EQ, STDOUT_FILENO));
    ALLOW(writev, SCMP_A0(SCMP_CMP_EQ, STDERR_FILENO));
}

/// What finding and reading fonts takes.
static void allow_reading(scmp_filter_ctx filter) {
    ALLOW_ANY(
        SCMP_SYS(read), SCMP_SYS(pread64), SCMP_SYS(readv), SCMP_SYS(lseek), SCMP_SYS(close), SCMP_SYS(access),
        SCMP_SYS(faccessat), SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(fstat), SCMP_SYS(newfstatat), SCMP_SYS(statx),
        SCMP_SYS(statfs), SCMP_SYS(fstatfs), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(getdents64),
        SCMP_SYS(getcwd), SCMP_SYS(fadvise64), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid),
        SCMP_SYS(getegid));
    const unsigned temporary = O_TMPFILE & ~O_DIRECTORY;
    const unsigned writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_PATH | temporary;
    ALLOW(open, SCMP_A1(SCMP_CMP_MASKED_EQ, writing, 0));
    ALLOW(openat, SCMP_A2(SCMP_CMP_MASKED_EQ, writing, 0));
    // Fontconfig's caches are files that are shared; memory without a file is not.
    ALLOW(
        mmap, SCMP_A2(SCMP_CMP_EQ, PROT_READ),
        SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_TYPE | MAP_ANONYMOUS | MAP_GROWSDOWN, MAP_SHARED));
    // F_SETOWN would send signals to others.
    ALLOW(fcntl, SCMP_A1(SCMP_CMP_EQ, F_GETFD));
    ALLOW(fcntl, SCMP_A1(SCMP_CMP_EQ, F_SETFD));
    ALLOW(fcntl, SCMP_A1(SCMP_CMP_EQ, F_GETFL));
}

int chelper_refuse_calls(enum chelper_room room) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter) return -1;
    // The calls that libraries try first and do without where a kernel is too old for them.
    static const int newer[] = {SCMP_SYS(clone3), SCMP_SYS(openat2), SCMP_SYS(faccessat2), SCMP_SYS(membarrier)};
    for (size_t i = 0; i < sizeof newer / sizeof newer[0]; i++) {
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), newer[i], 0);
    }
    allow_computing(filter);
    allow_talking(filter);
    if (room == CHELPER_DRAWINGS) allow_reading(filter);
    seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    int status = seccomp_load(filter);
    seccomp_release(filter);
    return status;
}
