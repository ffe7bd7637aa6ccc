#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "rooms.h"

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

/// How many threads this process has; 0 if the system does not tell.
static int thread_count(void) {
    DIR *threads = opendir("/proc/self/task");
    if (!threads) return 0;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(threads));) count += entry->d_name[0] != '.';
    closedir(threads);
    return count;
}

/// Whether this thread is the only one, after a while: libraries that start one to load something end it on their own.
static int is_alone(void) {
    for (int tries = 0; tries < 200; tries++) {
        if (thread_count() == 1) return 1;
        usleep(1000);
    }
    return 0;
}

static void limit_firmly(__rlimit_resource_t resource, rlim_t value) {
    struct rlimit limit;
    if (getrlimit(resource, &limit)) return;
    if (limit.rlim_max > value) limit.rlim_max = value;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(resource, &limit);
}

unsigned chelper_confine(enum chelper_room room) {
    // A hostile file must not leave its traces on the disk.
    limit_firmly(RLIMIT_CORE, 0);
    // Where memory runs out, this process is the one to lose.
    FILE *file = fopen("/proc/self/oom_score_adj", "we");
    if (file) {
        fputs("1000", file);
        fclose(file);
    }
    // Large pictures go back to the system when they are done, and threads do not keep heaps of their own.
    mallopt(M_MMAP_THRESHOLD, 256 * 1024);
    mallopt(M_ARENA_MAX, 2);
    if (chelper_is_sanitized()) return CHELPER_NO_MEMORY_LIMIT | CHELPER_NO_CALL_FILTER | CHELPER_NO_FILE_RULES;
    memory_at_start = data_size();
    // The rules for files hold for this thread and those that it starts from here on; the filter of calls for all.
    int is_single = is_alone();
    unsigned missing = memory_at_start > 0 ? 0 : CHELPER_NO_MEMORY_LIMIT;
    // No process of the same user looks into this one.
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    limit_firmly(RLIMIT_FSIZE, 0);
    limit_firmly(RLIMIT_NOFILE, room == CHELPER_DRAWINGS ? 256 : 16);
    limit_firmly(RLIMIT_MEMLOCK, 0);
    // Both demand that nothing that is run from here on gains rights.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) missing |= CHELPER_NO_CALL_FILTER | CHELPER_NO_FILE_RULES;
    if (chelper_refuse_files(room) || !is_single) missing |= CHELPER_NO_FILE_RULES;
    if (chelper_refuse_calls(room)) missing |= CHELPER_NO_CALL_FILTER;
    return missing;
}

int64_t chelper_memory_at_start(void) {
    return memory_at_start;
}

static int limit_softly(pid_t pid, __rlimit_resource_t resource, int64_t value) {
    struct rlimit limit;
    if (prlimit(pid, resource, NULL, &limit)) return -1;
    limit.rlim_cur = (rlim_t)value < limit.rlim_max ? (rlim_t)value : limit.rlim_max;
    return prlimit(pid, resource, &limit, NULL);
}

int chelper_limit(pid_t pid, int64_t memory_at_start, int64_t bytes, int64_t seconds) {
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &used) == 0) {
        limit_softly(pid, RLIMIT_CPU, used.tv_sec + 2 + seconds);
    }
    // One that has ended needs no limit.
    return memory_at_start > 0 && limit_softly(pid, RLIMIT_DATA, memory_at_start + bytes) && errno != ESRCH ? -1 : 0;
}
