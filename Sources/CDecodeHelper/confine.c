#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CDecodeHelper.h"

static int64_t memory_at_start;

/// Bytes of data, as RLIMIT_DATA counts them; 0 if the system does not tell.
static int64_t data_size(void) {
    long long pages[6] = {0};
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file) return 0;
    int count = fscanf(
        file, "%lld %lld %lld %lld %lld %lld", &pages[0], &pages[1], &pages[2], &pages[3], &pages[4], &pages[5]);
    fclose(file);
    return count == 6 ? pages[5] * sysconf(_SC_PAGESIZE) : 0;
}

#if defined(__x86_64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef THIS_ARCHITECTURE
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define REFUSE(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
/// Refuses a call; the number is in the accumulator.
#define WITHOUT(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), REFUSE(EPERM)
/// Refuses a call if an argument has one of these bits; leaves the number in the accumulator.
#define WITHOUT_BITS(call, argument, bits)                                                                            \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4), LOAD(args[argument]),                                     \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), 0, 1), REFUSE(EPERM), LOAD(nr)

/// No network, no other program, no writing to files, no look into other processes. Reading stays: text in an SVG
/// needs fonts.
static void filter_calls(void) {
    static struct sock_filter rules[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
#ifdef __x86_64__
        // The calls of the x32 interface have numbers of their own.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        REFUSE(ENOSYS),
        WITHOUT_BITS(open, 1, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC),
        WITHOUT(creat),
        WITHOUT(fork),
        WITHOUT(vfork),
        WITHOUT(unlink),
        WITHOUT(rename),
        WITHOUT(mkdir),
        WITHOUT(rmdir),
        WITHOUT(link),
        WITHOUT(symlink),
        WITHOUT(chmod),
#endif
        WITHOUT_BITS(openat, 2, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC),
        // Structures behind pointers cannot be looked at; libraries then take the older calls.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_openat2, 0, 1),
        REFUSE(ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone3, 0, 1),
        REFUSE(ENOSYS),
        // Threads, but no processes.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 4),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
        REFUSE(EPERM),
        LOAD(nr),
        WITHOUT(socket),
        WITHOUT(socketpair),
        WITHOUT(connect),
        WITHOUT(bind),
        WITHOUT(execve),
        WITHOUT(execveat),
        WITHOUT(ptrace),
        WITHOUT(process_vm_readv),
        WITHOUT(process_vm_writev),
        WITHOUT(pidfd_getfd),
        WITHOUT(kill),
        WITHOUT(tkill),
        WITHOUT(tgkill),
        WITHOUT(rt_sigqueueinfo),
        WITHOUT(rt_tgsigqueueinfo),
        WITHOUT(pidfd_send_signal),
        WITHOUT(unlinkat),
        WITHOUT(renameat2),
        WITHOUT(mkdirat),
        WITHOUT(linkat),
        WITHOUT(symlinkat),
        WITHOUT(truncate),
        WITHOUT(fchmodat),
        WITHOUT(mount),
        WITHOUT(io_uring_setup),
        WITHOUT(bpf),
        WITHOUT(perf_event_open),
        WITHOUT(keyctl),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof rules / sizeof rules[0], .filter = rules};
    // Where a kernel has no filters the helper still is a process of its own with limits.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return;
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}
#else
static void filter_calls(void) {}
#endif

void chelper_confine(void) {
    // A hostile file must not leave its traces on the disk.
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    // Where memory runs out, this process is the one to lose.
    FILE *file = fopen("/proc/self/oom_score_adj", "we");
    if (file) {
        fputs("1000", file);
        fclose(file);
    }
    // Large pictures go back to the system when they are done, and threads do not keep heaps of their own.
    mallopt(M_MMAP_THRESHOLD, 256 * 1024);
    mallopt(M_ARENA_MAX, 2);
    if (chelper_is_sanitized()) return;
    memory_at_start = data_size();
    filter_calls();
}

static void limit_softly(__rlimit_resource_t resource, int64_t value) {
    struct rlimit limit;
    if (getrlimit(resource, &limit)) return;
    limit.rlim_cur = (rlim_t)value < limit.rlim_max ? (rlim_t)value : limit.rlim_max;
    setrlimit(resource, &limit);
}

void chelper_limit(int64_t bytes, int64_t seconds) {
    struct rusage used;
    if (getrusage(RUSAGE_SELF, &used) == 0) {
        limit_softly(RLIMIT_CPU, used.ru_utime.tv_sec + used.ru_stime.tv_sec + 2 + seconds);
    }
    if (memory_at_start > 0) limit_softly(RLIMIT_DATA, memory_at_start + bytes);
}
