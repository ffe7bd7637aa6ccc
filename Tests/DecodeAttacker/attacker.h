#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// What the program that starts the attacker tells it, so that every attack has something to hit.
struct target {
    /// Whether the attacker is to be confined first. Without that it is shown what the attacks are worth.
    int is_confined;
    pid_t program;
    /// Where the program has its secret in memory.
    uint64_t secret;
    /// A port on which the program listens.
    int port;
    /// A folder in which everybody may write; in it are `private`, which only this user may read, `file` and `socket`.
    char folder[512];
};

/// One thing that a helper must not be able to do; true if it was done.
struct attack {
    const char *name;
    int (*attempt)(const struct target *);
    /// Whether only rules for files stand against it where fonts may be read.
    int reads_files;
};

static const char secret_words[] = "the secret of the program";

extern const struct attack attacks_on_files[], attacks_on_processes[], attacks_on_the_system[];
extern const size_t count_on_files, count_on_processes, count_on_the_system;

/// The path of a name in the target's folder; good until the next call but three.
const char *inside(const struct target *target, const char *name);
