#pragma once

#include "CJPEGCodec.h"

/// A progressive JPEG that is read while it arrives.
///
/// Used by one thread at a time. After a status other than CJPEG_DONE it can only be destroyed.
typedef struct cjpeg_passes cjpeg_passes;

/// NULL when memory is lacking. `max_memory` are the bytes that libjpeg may take for itself. `message` must live as long; it
/// is set with every status but CJPEG_DONE. Rows go to `output` each time that the picture is drawn.
cjpeg_passes *_Nullable cjpeg_passes_create(
    const cjpeg_output *_Nonnull output, uint64_t max_memory, char message[_Nonnull CJPEG_MESSAGE_SIZE]);

/// Takes over more bytes of the file and reads as far as they go.
cjpeg_status cjpeg_passes_feed(cjpeg_passes *_Nonnull passes, const uint8_t *_Nonnull bytes, size_t count);

/// How many scans are there completely.
uint32_t cjpeg_passes_whole_scans(const cjpeg_passes *_Nonnull passes);

/// Whether the end of the picture has been read.
int cjpeg_passes_is_complete(const cjpeg_passes *_Nonnull passes);

/// Draws what the whole scans tell; there must be one at least.
cjpeg_status cjpeg_passes_draw(cjpeg_passes *_Nonnull passes);

void cjpeg_passes_destroy(cjpeg_passes *_Nullable passes);
