#pragma once

#include "CJPEGCanvas.h"
#include "CJPEGCodec.h"

/// A progressive JPEG that is read while it arrives.
///
/// Used by one thread at a time. After a status other than CJPEG_DONE it can only be destroyed.
typedef struct cjpeg_passes cjpeg_passes;

/// How to read it; as in `cjpeg_decode_request`.
typedef struct {
    uint32_t width, height;
    uint32_t eighths;
    uint32_t out_width, out_height;
    int keeps_inks;
    uint64_t max_memory;
    uint32_t max_scans;
    /// Asked about once for each row of blocks; non-zero ends the work.
    int (*_Nonnull should_stop)(void *_Nullable context);
    void *_Nullable context;
} cjpeg_passes_request;

/// NULL when memory is lacking. `message` must live as long; it is set with every status but CJPEG_DONE.
cjpeg_passes *_Nullable cjpeg_passes_create(
    const cjpeg_passes_request *_Nonnull request, char message[_Nonnull CJPEG_MESSAGE_SIZE]);

/// Takes over more bytes of the file and reads as far as they go.
cjpeg_status cjpeg_passes_feed(cjpeg_passes *_Nonnull passes, const uint8_t *_Nonnull bytes, size_t count);

/// How many scans are there completely.
uint32_t cjpeg_passes_whole_scans(const cjpeg_passes *_Nonnull passes);

/// Whether the end of the picture has been read.
int cjpeg_passes_is_complete(const cjpeg_passes *_Nonnull passes);

/// Draws what the whole scans tell; there must be one at least.
cjpeg_status cjpeg_passes_draw(cjpeg_passes *_Nonnull passes, cjpeg_canvas canvas);

void cjpeg_passes_destroy(cjpeg_passes *_Nullable passes);
