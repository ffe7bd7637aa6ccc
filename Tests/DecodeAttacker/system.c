#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "attacker.h"

#define ATTACK(name, ...) static int name(const struct target *target) { (void)target; __VA_ARGS__ }

static int opens(int kind, int type, int protocol) {
    int file = socket(kind, type, protocol);
    if (file >= 0) close(file);
    return file >= 0;
}

/// Connects a new socket, or, where none can be made, the one that is there.
static int connects(int kind, const void *address, socklen_t size) {
    int file = socket(kind, SOCK_STREAM, 0);
    int status = connect(file < 0 ? 3 : file, address, size);
    if (file >= 0) close(file);
    return status == 0;
}

ATTACK(open_internet, return opens(AF_INET, SOCK_STREAM, 0);)
ATTACK(open_datagrams, return opens(AF_INET6, SOCK_DGRAM, 0);)
ATTACK(open_local, return opens(AF_UNIX, SOCK_STREAM, 0);)
ATTACK(open_netlink, return opens(AF_NETLINK, SOCK_RAW, 0);)
ATTACK(open_pair, int both[2]; return socketpair(AF_UNIX, SOCK_STREAM, 0, both) == 0;)
ATTACK(open_pipe, int both[2]; return pipe(both) == 0;)
ATTACK(connect_internet,
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)target->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connects(AF_INET, &address, sizeof address);)
ATTACK(connect_local, struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", inside(target, "socket"));
    return connects(AF_UNIX, &address, sizeof address);)
ATTACK(listen_for_others, struct sockaddr_in address = {.sin_family = AF_INET};
    int file = socket(AF_INET, SOCK_STREAM, 0);
    return bind(file, (struct sockaddr *)&address, sizeof address) == 0 && listen(file, 1) == 0;)
ATTACK(send_a_descriptor, char byte = 0, room[CMSG_SPACE(sizeof(int))] = {0};
    int both[2];
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    *head = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))};
    // Not over the socket to the program, which is no party to this.
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, both)) both[0] = 2;
    return sendmsg(both[0], &message, 0) == 1;)
ATTACK(set_an_option, int on = 1; return setsockopt(3, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on) == 0;)
ATTACK(ask_the_socket, int waiting; return ioctl(3, FIONREAD, &waiting) == 0;)
ATTACK(type_on_the_terminal, int terminal = open("/dev/tty", O_RDWR);
    char key = '\n';
    return ioctl(terminal < 0 ? 0 : terminal, TIOCSTI, &key) == 0;)
ATTACK(run_new_memory, return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;)
ATTACK(write_and_run,
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;)
ATTACK(run_written_memory,
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page != MAP_FAILED && mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0;)
ATTACK(run_with_a_key, void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page != MAP_FAILED && syscall(SYS_pkey_mprotect, page, 4096, PROT_READ | PROT_EXEC, -1) == 0;)
ATTACK(run_shared_memory, int segment = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    if (segment < 0) return 0;
    shmctl(segment, IPC_RMID, NULL);
    return 1;)
ATTACK(become_dumpable, return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0;)
ATTACK(ask_for_a_tracer, return prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0) == 0;)
ATTACK(adopt_orphans, return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;)
ATTACK(change_personality, return personality(ADDR_NO_RANDOMIZE) != -1;)
ATTACK(filter_again, return prctl(PR_GET_SECCOMP) >= 0;)
ATTACK(use_a_ring, char parameters[120] = {0}; return syscall(SYS_io_uring_setup, 1, parameters) >= 0;)
ATTACK(use_old_asynchrony, unsigned long ring = 0; return syscall(SYS_io_setup, 1, &ring) == 0;)
ATTACK(load_a_program_into_the_kernel, char nothing[120] = {0}; return syscall(SYS_bpf, 0, nothing, sizeof nothing) >= 0;)
ATTACK(count_events, char nothing[120] = {0}; return syscall(SYS_perf_event_open, nothing, 0, -1, -1, 0) >= 0;)
ATTACK(add_a_key, return syscall(SYS_add_key, "user", "attack", "1", 1, -2) >= 0;)
ATTACK(read_keys, return syscall(SYS_keyctl, 0, -3, 0) >= 0;)
ATTACK(handle_faults, return syscall(SYS_userfaultfd, 1) >= 0;)
ATTACK(change_the_root, return chroot("/") == 0;)
ATTACK(mount_something, return mount("none", target->folder, "tmpfs", 0, NULL) == 0;)
ATTACK(name_the_machine, char name[] = "attack"; return sethostname(name, sizeof name) == 0;)
ATTACK(set_a_timer, return syscall(SYS_timerfd_create, 0, 0) >= 0;)
ATTACK(wait_for_signals, unsigned long none = 0; return syscall(SYS_signalfd4, -1, &none, sizeof none, 0) >= 0;)
ATTACK(lock_memory, return mlock(&target->port, 1) == 0;)
ATTACK(read_the_log, return syscall(SYS_syslog, 10, NULL, 0) >= 0;)
ATTACK(make_a_queue, return syscall(SYS_mq_open, "attack", O_CREAT | O_RDWR, 0600, NULL) >= 0;)

/// Takes memory of a kind.
static int takes(int kind) {
    const size_t size = 1 << 30;
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED) return 0;
    munmap(block, size);
    return 1;
}

ATTACK(take_memory, return takes(MAP_PRIVATE);)
ATTACK(take_shared_memory, return takes(MAP_SHARED);)
ATTACK(take_memory_that_grows, return takes(MAP_PRIVATE | MAP_GROWSDOWN);)
ATTACK(grow_the_heap, void *end = sbrk(512 << 20);
    if (end == (void *)-1) return 0;
    sbrk(-(512 << 20));
    return 1;)

/// Sets what holds to what may be had at most, as an ordinary process may.
static int raise_limit(__rlimit_resource_t resource) {
    struct rlimit limit;
    if (getrlimit(resource, &limit)) return 0;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit) == 0;
}

ATTACK(raise_memory, return raise_limit(RLIMIT_DATA);)
ATTACK(raise_time, return raise_limit(RLIMIT_CPU);)
ATTACK(ignore_the_end_of_its_time, return signal(SIGXCPU, SIG_IGN) != SIG_ERR;)
ATTACK(ignore_it_by_a_larger_number, long action[4] = {(long)SIG_IGN};
    return syscall(SYS_rt_sigaction, 1L << 32 | SIGXCPU, action, NULL, 8) == 0;)
ATTACK(raise_files, return raise_limit(RLIMIT_NOFILE);)
ATTACK(copy_a_descriptor, return dup(3) >= 0;)

const struct attack attacks_on_the_system[] = {
    {"socket for the internet", open_internet, 0},
    {"socket for datagrams", open_datagrams, 0},
    {"socket on this machine", open_local, 0},
    {"socket to the kernel", open_netlink, 0},
    {"socketpair", open_pair, 0},
    {"pipe", open_pipe, 0},
    {"connect to a port", connect_internet, 0},
    {"connect to a socket among files", connect_local, 0},
    {"bind and listen", listen_for_others, 0},
    {"sendmsg with a descriptor", send_a_descriptor, 0},
    {"setsockopt", set_an_option, 0},
    {"ioctl", ask_the_socket, 0},
    {"ioctl TIOCSTI", type_on_the_terminal, 0},
    {"mmap to run", run_new_memory, 0},
    {"mmap to write and run", write_and_run, 0},
    {"mprotect to run", run_written_memory, 0},
    {"pkey_mprotect to run", run_with_a_key, 0},
    {"shmget", run_shared_memory, 0},
    {"prctl PR_SET_DUMPABLE", become_dumpable, 0},
    {"prctl PR_SET_PTRACER", ask_for_a_tracer, 0},
    {"prctl PR_SET_CHILD_SUBREAPER", adopt_orphans, 0},
    {"personality", change_personality, 0},
    {"prctl PR_GET_SECCOMP", filter_again, 0},
    {"io_uring_setup", use_a_ring, 0},
    {"io_setup", use_old_asynchrony, 0},
    {"bpf", load_a_program_into_the_kernel, 0},
    {"perf_event_open", count_events, 0},
    {"add_key", add_a_key, 0},
    {"keyctl", read_keys, 0},
    {"userfaultfd", handle_faults, 0},
    {"chroot", change_the_root, 0},
    {"mount", mount_something, 0},
    {"sethostname", name_the_machine, 0},
    {"timerfd_create", set_a_timer, 0},
    {"signalfd4", wait_for_signals, 0},
    {"mlock", lock_memory, 0},
    {"syslog", read_the_log, 0},
    {"mq_open", make_a_queue, 0},
    {"dup", copy_a_descriptor, 0},
    // The first four before the limits can be raised where calls are not filtered.
    {"take more memory than it may", take_memory, 0},
    {"take more shared memory than it may", take_shared_memory, 0},
    {"take more memory that grows than it may", take_memory_that_grows, 0},
    {"grow the heap beyond what it may", grow_the_heap, 0},
    {"raise the limit of its memory", raise_memory, 0},
    {"raise the limit of its time", raise_time, 0},
    {"ignore the end of its time", ignore_the_end_of_its_time, 0},
    {"ignore the end of its time by a larger number", ignore_it_by_a_larger_number, 0},
    {"raise the limit of its files", raise_files, 0},
};
const size_t count_on_the_system = sizeof attacks_on_the_system / sizeof attacks_on_the_system[0];
