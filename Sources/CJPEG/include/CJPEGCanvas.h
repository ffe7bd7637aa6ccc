#pragma once

#include <stddef.h>
#include <stdint.h>

/// Where finished pixels of four bytes go, and how a picture lies there.
///
/// Pixel (x, y) is written at `origin + x * step_x + y * step_y`. Negative or swapped steps turn and mirror a
/// picture while it is written, so that an EXIF orientation costs no second copy.
typedef struct {
    uint8_t *_Nonnull origin;
    ptrdiff_t step_x;
    ptrdiff_t step_y;
} cjpeg_canvas;

/// Writes one row of `width` four-byte pixels.
void cjpeg_canvas_write_row(const cjpeg_canvas *_Nonnull canvas, const uint8_t *_Nonnull row, uint32_t width, uint32_t y);
