#pragma once

#include <stdint.h>
#include <sys/types.h>

// The process that decodes pictures for this program: it is this program, run once more. What is here is started
// before `main`, and what Swift has no call for.

enum {
    /// The helper's end of the socket.
    CHELPER_SOCKET = 3,
    /// The first word of each message.
    CHELPER_MAGIC = 0x43504448,
    /// The most bytes of words in a reply.
    CHELPER_TEXT_SIZE = 512,
};

/// What a helper decodes decides what it needs.
enum chelper_room {
    /// Pictures of pixels, which are decoded without any file.
    CHELPER_PICTURES,
    /// Drawings, whose text needs fonts.
    CHELPER_DRAWINGS,
};

/// What confines a helper and what a system may lack.
enum {
    /// The system's limit on its memory.
    CHELPER_NO_MEMORY_LIMIT = 1,
    /// The filter of system calls.
    CHELPER_NO_CALL_FILTER = 2,
    /// The rules for files.
    CHELPER_NO_FILE_RULES = 4,
};

/// What is wanted of a picture: how large it becomes, and whether it may be damaged.
typedef struct {
    /// The box; a width of 0 is the full size.
    int64_t width, height;
    /// From 0, in the order of Swift's cases.
    uint32_t mode, gravity, enlarges;
    uint32_t tolerates_damage;
} chelper_options;

/// What the helper is to do with the file whose bytes follow the request.
typedef struct {
    uint32_t magic;
    /// Counts up; the reply has the same.
    uint32_t number;
    uint32_t task;
    /// Which frame of an animation, from 0.
    int32_t frame;
    /// Which animation. The helper keeps the last one open; for that the file is not sent again.
    uint64_t animation;
    int64_t byte_count;
    chelper_options options;
    int64_t max_pixels, max_frames, max_memory;
    int64_t time_limit_milliseconds;
} chelper_request;

/// What came of it; a text (of what is wrong, also with a picture that is damaged) and then the pixels follow, rows of `width` times four bytes.
typedef struct {
    uint32_t magic;
    uint32_t number;
    uint32_t status;
    uint32_t is_opaque;
    int64_t values[3];
    /// What the file's header says: the width and the height of the upright picture, and the number of frames.
    int64_t width, height, frames;
    uint32_t text_bytes;
} chelper_reply;

/// Whether running the program's file again runs this code: false where it was loaded as somebody's plug-in.
int chelper_is_in_program(void);

/// Whether the program was built with a sanitizer, whose own needs no limit on memory and no filter of calls can meet.
int chelper_is_sanitized(void);

/// Starts a helper that has `socket` as CHELPER_SOCKET and no other open file, and neither the environment nor the
/// terminal of this program; 0 or an error number.
///
/// `handle` becomes a descriptor that stands for the process whatever becomes of its number, or -1 where the system has
/// none.
int chelper_spawn(int socket, enum chelper_room room, pid_t *_Nonnull pid, int *_Nonnull handle);

/// How a helper has ended.
enum chelper_ending {
    /// By itself, or by a signal that a faulty decoder causes.
    CHELPER_CRASHED,
    /// By a signal from outside, which is what the system sends where memory runs out.
    CHELPER_KILLED,
    /// It has computed for longer than it may.
    CHELPER_OUT_OF_TIME,
    /// Its decoder crashed because it got no more memory.
    CHELPER_OUT_OF_MEMORY,
    /// In a way that cannot be known: somebody else has collected it.
    CHELPER_UNKNOWN,
};

/// How a helper has ended that has closed its end of the socket. It waits for a second at most, and leaves the helper to be
/// collected by `chelper_end`.
enum chelper_ending chelper_ending(pid_t pid);

/// Ends a helper at once and waits until it has ended.
void chelper_end(pid_t pid, int handle);

/// A connected pair of sockets that other programs do not inherit; 0 or an error number.
int chelper_socket_pair(int sockets[_Nonnull 2]);

/// In the helper: has libraries load now what they load late otherwise, when nothing more can be loaded.
void chelper_load_plugins(void);

/// In the helper: has Pango let go of the fonts that it keeps for the calling thread. In newer versions, such as 1.56, a thread that
/// looks for fonts lives as long as they are kept, and the rules for files hold only if `chelper_confine` finds no other thread.
void chelper_end_font_threads(void);

/// In the helper: gives up what decoding does not need, for good. Called once, after libraries are loaded and started.
///
/// What the system lacks is left out, the rest holds all the same; the result has a bit for each such part.
unsigned chelper_confine(enum chelper_room room);

/// In the helper: watches, in a thread of its own, for the end of the program, also in the middle of a decode.
void chelper_watch_program(void);

/// In the helper: the bytes of data that it had when it was confined, as the system counts them for their limit; 0 if the
/// system does not tell.
int64_t chelper_memory_at_start(void);

/// In the program: the memory that a helper may take beyond what it had when it was confined, and the seconds that it may
/// compute from now on. The system enforces both, and the helper can lift neither. It can block the signal for the end
/// of its time; then it is for the program to end it by the clock. 0, or -1 where memory is not limited.
int chelper_limit(pid_t pid, int64_t memory_at_start, int64_t bytes, int64_t seconds);

/// In the helper: whether the program has said something since its last request, which can only be that it no longer
/// wants the answer. The words stay to be read.
int chelper_is_cancelled(void);

/// Answers requests until the other end is closed. Written in Swift.
void chelper_serve(uint32_t room);
