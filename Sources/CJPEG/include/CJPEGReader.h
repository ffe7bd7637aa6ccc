#pragma once

#include "CJPEGCodec.h"

/// A JPEG in memory that libjpeg has opened: first its header, then its pixels.
///
/// Used by one thread at a time. After a status other than CJPEG_DONE it can only be destroyed.
typedef struct cjpeg_reader cjpeg_reader;

/// What the header says, up to the first scan.
typedef struct {
    uint32_t width, height, components;
    int is_progressive;
    /// Whether the picture comes in several scans, so that all coefficients are kept until the last one.
    int has_multiple_scans;
    /// Adobe's programs store inks inverted and mark that with a segment.
    int has_adobe_marker;
    /// Samples in whole blocks of all components, which is what is kept as coefficients.
    uint64_t block_samples;
    /// Where the first scan's data begins.
    size_t scan_offset;
    /// The first EXIF data, which lies in the file; NULL if there is none.
    const uint8_t *_Nullable exif;
    size_t exif_size;
    /// The first XMP, behind its name; NULL if there is none.
    const uint8_t *_Nullable xmp;
    size_t xmp_size;
    /// The embedded ICC profile, which belongs to the reader; NULL if there is none or a part is missing.
    const uint8_t *_Nullable profile;
    size_t profile_size;
} cjpeg_header;

/// A reader of bytes that must outlive it; NULL when memory is lacking.
///
/// `max_memory` are the bytes that libjpeg may take for itself. `message` must live as long; it is set with every status
/// but CJPEG_DONE and CJPEG_NEEDS_MORE.
cjpeg_reader *_Nullable cjpeg_reader_create(
    const uint8_t *_Nonnull data, size_t size, uint64_t max_memory, char message[_Nonnull CJPEG_MESSAGE_SIZE]);

/// Reads the header. With `is_partial` the bytes are the beginning of a file: CJPEG_NEEDS_MORE if they end too early.
cjpeg_status cjpeg_reader_header(cjpeg_reader *_Nonnull reader, int is_partial, cjpeg_header *_Nonnull header);

/// Reads the pixels, once, after the header of a whole file. Rows go to `output` in order, of the scaled width.
cjpeg_status cjpeg_reader_decode(cjpeg_reader *_Nonnull reader, const cjpeg_output *_Nonnull output);

/// What was tolerated first, NULL if nothing was; it belongs to the reader.
const char *_Nullable cjpeg_reader_damage(const cjpeg_reader *_Nonnull reader);

void cjpeg_reader_destroy(cjpeg_reader *_Nullable reader);
