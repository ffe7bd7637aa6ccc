#pragma once

#include <stddef.h>
#include <stdint.h>

/// How a call into libjpeg ended.
typedef enum {
    CJPEG_DONE = 0,
    /// The data is cut off or broken; the message says how.
    CJPEG_DAMAGED = 1,
    /// Sound data of a kind that libjpeg cannot decode.
    CJPEG_UNSUPPORTED = 2,
    /// `should_stop` said so.
    CJPEG_STOPPED = 3,
    /// libjpeg wanted more than `max_memory`, or the system had no more.
    CJPEG_OUT_OF_MEMORY = 4,
    /// The header is not there completely.
    CJPEG_NEEDS_MORE = 5,
} cjpeg_status;

enum { CJPEG_MESSAGE_SIZE = 200 };

/// How pixels come out, and who takes them.
typedef struct {
    /// The numerator of libjpeg's scale in eighths, 1...8.
    uint32_t eighths;
    /// The width that the rows will be scaled to; it decides how well chroma is enlarged.
    uint32_t final_width;
    /// Non-zero: four inks as stored; zero: R, G, B and an alpha of 255.
    int keeps_inks;
    /// More scans than this are damage: each one costs a pass over the whole picture.
    uint32_t max_scans;
    /// Non-zero: goes on after data that spoils pixels, which then are what libjpeg makes of it.
    int tolerates_damage;
    /// Takes the next row, of four bytes a pixel.
    void (*_Nonnull take_row)(void *_Nullable context, const uint8_t *_Nonnull row);
    /// Asked about once for each row of blocks; non-zero ends the work.
    int (*_Nonnull should_stop)(void *_Nullable context);
    void *_Nullable context;
} cjpeg_output;

/// The size of a side after libjpeg's scaling.
uint32_t cjpeg_scaled(uint32_t side, uint32_t eighths);

/// What to encode: packed R, G, B, A rows with straight alpha.
typedef struct {
    const uint8_t *_Nonnull pixels;
    uint32_t width, height;
    int is_opaque;
    /// 1...100
    int quality;
    /// Non-zero: chroma at half the width and height.
    int subsamples;
    /// Non-zero: in several scans, coarse to fine, which includes optimised coding.
    int progressive;
    /// Non-zero: with tables made for this picture.
    int optimizes;
    uint8_t background[3];
} cjpeg_encode_request;

/// Encodes; on `CJPEG_DONE` the caller frees `*out` with `free`. `message` is set otherwise.
cjpeg_status cjpeg_encode(
    const cjpeg_encode_request *_Nonnull request, uint8_t *_Nullable *_Nonnull out, unsigned long *_Nonnull out_size,
    char message[_Nonnull CJPEG_MESSAGE_SIZE]);
