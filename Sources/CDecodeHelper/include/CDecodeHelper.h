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
    /// 0 is the full size.
    int64_t longest_side;
    int64_t max_pixels, max_frames, max_memory;
    int64_t time_limit_milliseconds;
} chelper_request;

/// What came of it; a text and then the pixels follow, rows of `width` times four bytes.
typedef struct {
    uint32_t magic;
    uint32_t number;
    uint32_t status;
    uint32_t is_opaque;
    int64_t values[3];
    uint32_t text_bytes;
} chelper_reply;

/// Whether running the program's file again runs this code: false where it was loaded as somebody's plug-in.
int chelper_is_in_program(void);

/// Whether the program was built with a sanitizer, whose own needs no limit on memory and no filter of calls can meet.
int chelper_is_sanitized(void);

/// Starts a helper that has `socket` as CHELPER_SOCKET and no other open file; 0 or an error number.
int chelper_spawn(int socket, pid_t *_Nonnull pid);

/// A connected pair of sockets that other programs do not inherit; 0 or an error number.
int chelper_socket_pair(int sockets[_Nonnull 2]);

/// Asks a helper to end the request of this number soon.
void chelper_cancel(pid_t pid, uint32_t number);

/// In the helper: gives up what decoding does not need. Called once, after libraries are loaded and started.
void chelper_confine(void);

/// In the helper: the memory that it may take beyond what it has when it is confined, and the seconds that it may
/// compute from now on. The system enforces both.
void chelper_limit(int64_t bytes, int64_t seconds);

/// In the helper: whether the request of this number was cancelled.
int chelper_is_cancelled(uint32_t number);

/// Answers requests until the other end is closed. Written in Swift.
void chelper_serve(void);
