#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rooms.h"

// Landlock, as the kernel's documentation of its interface has it; the headers of older systems lack parts of it.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

enum {
    ASK_VERSION = 1,
    BENEATH_PATH = 1,
    READ_FILE = 1 << 2,
    READ_FOLDER = 1 << 3,
};

struct ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scoped;
};

struct path_rule {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

/// All that a kernel of this version can refuse.
static struct ruleset everything(long version, size_t *size) {
    // Thirteen kinds of access to files in the first version; linking elsewhere, truncating and ioctl came later.
    static const uint64_t files[] = {0x1FFF, 0x3FFF, 0x7FFF, 0x7FFF, 0xFFFF};
    struct ruleset rules = {.files = files[(version < 5 ? version : 5) - 1]};
    *size = offsetof(struct ruleset, network);
    if (version >= 4) {
        // Binding and connecting.
        rules.network = 3;
        *size = offsetof(struct ruleset, scoped);
    }
    if (version >= 6) {
        // Sockets without a place among files, and signals to other processes.
        rules.scoped = 3;
        *size = sizeof rules;
    }
    return rules;
}

static void allow_reading(int rules, const char *path) {
    int folder = open(path, O_PATH | O_CLOEXEC | O_DIRECTORY);
    if (folder < 0) return;
    struct path_rule rule = {.allowed = READ_FILE | READ_FOLDER, .parent = folder};
    syscall(SYS_landlock_add_rule, rules, BENEATH_PATH, &rule, 0);
    close(folder);
}

int chelper_refuse_files(enum chelper_room room) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, ASK_VERSION);
    if (version < 1) return -1;
    size_t size = 0;
    struct ruleset all = everything(version, &size);
    int rules = (int)syscall(SYS_landlock_create_ruleset, &all, size, 0);
    if (rules < 0) return -1;
    // Fonts, their configuration and its caches, where systems keep them for everybody.
    static const char *const fonts[] = {
        "/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/X11/fonts", "/usr/share/texmf/fonts", "/etc/fonts",
        "/usr/share/fontconfig", "/var/cache/fontconfig", "/usr/lib/fontconfig",
    };
    if (room == CHELPER_DRAWINGS) {
        for (size_t i = 0; i < sizeof fonts / sizeof fonts[0]; i++) allow_reading(rules, fonts[i]);
    }
    long status = syscall(SYS_landlock_restrict_self, rules, 0);
    close(rules);
    return (int)status;
}
