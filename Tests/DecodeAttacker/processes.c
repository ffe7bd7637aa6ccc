#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attacker.h"

#define ATTACK(name, ...) static int name(const struct target *target) { (void)target; __VA_ARGS__ }

/// Ends a process that an attack has made.
static int made(pid_t child) {
    if (child == 0) _exit(0);
    if (child > 0) waitpid(child, NULL, __WALL);
    return child > 0;
}

ATTACK(read_memory, char found[sizeof secret_words] = "";
    struct iovec here = {found, sizeof found}, there = {(void *)(uintptr_t)target->secret, sizeof found};
    return process_vm_readv(target->program, &here, 1, &there, 1, 0) == sizeof found
        && !memcmp(found, secret_words, sizeof found);)
ATTACK(write_memory, char same[sizeof secret_words];
    memcpy(same, secret_words, sizeof same);
    struct iovec here = {same, sizeof same}, there = {(void *)(uintptr_t)target->secret, sizeof same};
    return process_vm_writev(target->program, &here, 1, &there, 1, 0) == sizeof same;)
ATTACK(seize, return ptrace(PTRACE_SEIZE, target->program, 0, 0) == 0;)
ATTACK(be_traced, return ptrace(PTRACE_TRACEME, 0, 0, 0) == 0;)
ATTACK(take_a_descriptor, int process = (int)syscall(SYS_pidfd_open, target->program, 0);
    return process >= 0 && syscall(SYS_pidfd_getfd, process, 0, 0) >= 0;)
ATTACK(compare, return syscall(SYS_kcmp, getpid(), target->program, 0, 0, 0) >= 0;)
ATTACK(read_limits, struct rlimit limit; return prlimit(target->program, RLIMIT_NOFILE, NULL, &limit) == 0;)
ATTACK(set_limits, struct rlimit limit = {64, 64}; return prlimit(target->program, RLIMIT_MSGQUEUE, &limit, NULL) == 0;)
ATTACK(set_own_limits, struct rlimit limit = {8, 8}; return setrlimit(RLIMIT_NOFILE, &limit) == 0;)
ATTACK(set_priority, return setpriority(PRIO_PROCESS, (id_t)target->program, 1) == 0;)
ATTACK(set_affinity, cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set)) return 0;
    return sched_setaffinity(target->program, sizeof set, &set) == 0;)
ATTACK(set_scheduler, struct sched_param none = {0}; return sched_setscheduler(target->program, SCHED_BATCH, &none) == 0;)
ATTACK(set_io_priority, return syscall(SYS_ioprio_set, 1, target->program, 3 << 13) == 0;)
ATTACK(send_kill, return kill(target->program, SIGWINCH) == 0;)
ATTACK(send_to_all, return kill(-1, 0) == 0;)
ATTACK(send_tgkill, return syscall(SYS_tgkill, target->program, target->program, SIGWINCH) == 0;)
ATTACK(send_tkill, return syscall(SYS_tkill, target->program, SIGWINCH) == 0;)
ATTACK(send_queue, union sigval none = {0}; return sigqueue(target->program, SIGWINCH, none) == 0;)
ATTACK(send_by_handle, int process = (int)syscall(SYS_pidfd_open, target->program, 0);
    return process >= 0 && syscall(SYS_pidfd_send_signal, process, SIGWINCH, NULL, 0) == 0;)
ATTACK(send_by_descriptor, return fcntl(3, F_SETOWN, target->program) == 0;)
ATTACK(make_fork, return made(fork());)
ATTACK(make_vfork, pid_t child = vfork();
    if (child == 0) _exit(0);
    return made(child);)
ATTACK(make_clone, return made((pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));)
ATTACK(make_clone3, uint64_t arguments[11] = {0, 0, 0, 0, SIGCHLD};
    return made((pid_t)syscall(SYS_clone3, arguments, sizeof arguments));)
ATTACK(make_user_namespace, return made((pid_t)syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));)
ATTACK(unshare_user, return unshare(CLONE_NEWUSER) == 0;)
ATTACK(unshare_files, return unshare(CLONE_FILES) == 0;)
ATTACK(enter_namespace, int process = (int)syscall(SYS_pidfd_open, getppid(), 0);
    return process >= 0 && setns(process, CLONE_NEWUSER) == 0;)
ATTACK(run_program, char *const arguments[] = {"true", NULL};
    char *const environment[] = {NULL};
    pid_t child = fork();
    if (child > 0) {
        int status = -1;
        return waitpid(child, &status, 0) == child && status == 0;
    }
    execve("/bin/true", arguments, environment);
    execve("/proc/self/exe", arguments, environment);
    if (child == 0) _exit(1);
    return 0;)
ATTACK(run_with_execveat, char *const arguments[] = {"true", NULL};
    char *const environment[] = {NULL};
    pid_t child = fork();
    if (child > 0) {
        int status = -1;
        return waitpid(child, &status, 0) == child && status == 0;
    }
    syscall(SYS_execveat, AT_FDCWD, "/bin/true", arguments, environment, 0);
    if (child == 0) _exit(1);
    return 0;)
ATTACK(join_group, return setpgid(0, getpgid(target->program)) == 0 || setpgid(0, 0) == 0;)
ATTACK(change_user, return setresuid(getuid(), getuid(), getuid()) == 0;)
ATTACK(change_group, return setresgid(getgid(), getgid(), getgid()) == 0;)
ATTACK(wait_for_others, return syscall(SYS_getpriority, PRIO_PROCESS, target->program) > 0;)
ATTACK(find_descriptors, struct pollfd files[252];
    for (int i = 0; i < 252; i++) files[i] = (struct pollfd){.fd = i + 4};
    if (poll(files, 252, 0) < 0) return 0;
    int open = 0;
    for (int i = 0; i < 252; i++) open += !(files[i].revents & POLLNVAL);
    return open > 0;)

const struct attack attacks_on_processes[] = {
    {"process_vm_readv", read_memory, 0},
    {"process_vm_writev", write_memory, 0},
    {"ptrace of the program", seize, 0},
    {"ptrace by the program", be_traced, 0},
    {"pidfd_getfd", take_a_descriptor, 0},
    {"kcmp", compare, 0},
    {"prlimit that reads the program's", read_limits, 0},
    {"prlimit that sets the program's", set_limits, 0},
    {"setrlimit", set_own_limits, 0},
    {"setpriority", set_priority, 0},
    {"sched_setaffinity", set_affinity, 0},
    {"sched_setscheduler", set_scheduler, 0},
    {"ioprio_set", set_io_priority, 0},
    {"kill", send_kill, 0},
    {"kill of all", send_to_all, 0},
    {"tgkill", send_tgkill, 0},
    {"tkill", send_tkill, 0},
    {"rt_sigqueueinfo", send_queue, 0},
    {"pidfd_send_signal", send_by_handle, 0},
    {"fcntl F_SETOWN", send_by_descriptor, 0},
    {"fork", make_fork, 0},
    {"vfork", make_vfork, 0},
    {"clone", make_clone, 0},
    {"clone3", make_clone3, 0},
    {"clone into a user namespace", make_user_namespace, 0},
    {"unshare of users", unshare_user, 0},
    {"unshare of files", unshare_files, 0},
    {"setns", enter_namespace, 0},
    {"execve", run_program, 0},
    {"execveat", run_with_execveat, 0},
    {"setpgid", join_group, 0},
    {"setresuid", change_user, 0},
    {"setresgid", change_group, 0},
    {"getpriority", wait_for_others, 0},
    {"use a descriptor of the program", find_descriptors, 0},
};
const size_t count_on_processes = sizeof attacks_on_processes / sizeof attacks_on_processes[0];
