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
} cpk_canvas;

/// Rows are kept as they came up to so many bytes, which a processor has at hand; more of them are filtered across first.
enum { CPK_RING_BYTES = 512 << 10 };

/// Scales a picture of four 8-bit channels row by row, in each direction by itself, with a Lanczos-3 filter.
///
/// Only as many rows are held as the filter is high. The last channel is alpha, or with CMYK a colour like the
/// others; only in the first case are the colours weighted by it, so that the colour of transparent pixels does not bleed.
/// The values of sRGB are weighed as they are, as browsers and image viewers do.
typedef struct cpk_resampler cpk_resampler;

/// What is made of all inputs in one direction.
typedef struct {
    /// How many inputs the picture covers: all of them, but that it may end within the last one.
    double extent;
    /// How many results all inputs would make, at least 1.
    double whole;
    /// The first of them that is made, and how many are.
    double first;
    uint32_t count;
} cpk_span;

/// A resampler; NULL when memory is lacking, or for a span that cannot be. `weighs_alpha` is non-zero when the fourth channel is
/// straight alpha.
cpk_resampler *_Nullable cpk_resampler_create(
    uint32_t in_width, uint32_t in_height, cpk_span across, cpk_span down, int weighs_alpha, cpk_canvas canvas);

/// Takes the next row, of 1 (grey), 2 (grey, alpha), 3 (R, G, B) or 4 channels; grey is spread to three channels and
/// a missing alpha is 255. Rows beyond the height are ignored.
void cpk_resampler_push(cpk_resampler *_Nonnull resampler, const uint8_t *_Nonnull row, int channels);

void cpk_resampler_destroy(cpk_resampler *_Nullable resampler);
