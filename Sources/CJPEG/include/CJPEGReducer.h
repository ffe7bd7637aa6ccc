#pragma once

#include "CJPEGCanvas.h"

/// Reduces a picture of four 8-bit channels row by row to a smaller size with a Lanczos-3 filter.
///
/// Only as many rows are held as the filter is high. The last channel is alpha, or with CMYK a colour like the
/// others; only in the first case are the colours weighted by it.
typedef struct cjpeg_reducer cjpeg_reducer;

/// A reducer from one size to another that is not larger in either direction; NULL when memory is lacking.
/// `weighs_alpha` is non-zero when the fourth channel is straight alpha.
cjpeg_reducer *_Nullable cjpeg_reducer_create(
    uint32_t in_width, uint32_t in_height, uint32_t out_width, uint32_t out_height, int weighs_alpha,
    cjpeg_canvas canvas);

/// Takes the next row, of 1 (grey), 2 (grey, alpha), 3 (R, G, B) or 4 channels; grey is spread to three channels and
/// a missing alpha is 255. Rows beyond the height are ignored.
void cjpeg_reducer_push(cjpeg_reducer *_Nonnull reducer, const uint8_t *_Nonnull row, int channels);

void cjpeg_reducer_destroy(cjpeg_reducer *_Nullable reducer);
