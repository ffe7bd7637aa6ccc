#pragma once

#include "CJPEGCanvas.h"

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
} cjpeg_status;

enum { CJPEG_MESSAGE_SIZE = 200 };

/// What to decode and where to.
typedef struct {
    const uint8_t *_Nonnull data;
    size_t size;
    /// The size that the caller read from the frame header; another one is damage.
    uint32_t width, height;
    /// The numerator of libjpeg's scale in eighths, 1...8.
    uint32_t eighths;
    /// The size on the canvas, not larger than the scaled picture.
    uint32_t out_width, out_height;
    cjpeg_canvas canvas;
    /// Non-zero: four inks as stored; zero: R, G, B and an alpha of 255.
    int keeps_inks;
    /// Bytes that libjpeg may take for itself.
    uint64_t max_memory;
    /// More scans than this are damage: each one costs a pass over the whole picture.
    uint32_t max_scans;
    /// Asked about once for each row of blocks; non-zero ends the work.
    int (*_Nonnull should_stop)(void *_Nullable context);
    void *_Nullable context;
} cjpeg_decode_request;

/// The size of a side after libjpeg's scaling.
uint32_t cjpeg_scaled(uint32_t side, uint32_t eighths);

/// Decodes, reduces and turns a picture in one pass; `message` is set unless the status is `CJPEG_DONE`.
cjpeg_status cjpeg_decode(const cjpeg_decode_request *_Nonnull request, char message[_Nonnull CJPEG_MESSAGE_SIZE]);

/// What to encode: packed R, G, B, A rows with straight alpha.
typedef struct {
    const uint8_t *_Nonnull pixels;
    uint32_t width, height;
    int is_opaque;
    /// 1...100
    int quality;
    /// Non-zero: chroma at half the width and height.
    int subsamples;
    uint8_t background[3];
} cjpeg_encode_request;

/// Encodes; on `CJPEG_DONE` the caller frees `*out` with `free`.
cjpeg_status cjpeg_encode(
    const cjpeg_encode_request *_Nonnull request, uint8_t *_Nullable *_Nonnull out, unsigned long *_Nonnull out_size,
    char message[_Nonnull CJPEG_MESSAGE_SIZE]);
