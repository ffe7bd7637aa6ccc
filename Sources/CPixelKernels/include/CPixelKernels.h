#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CPixelResampler.h"

/// What one step of a pointwise filter does to the colour of a pixel.
typedef enum {
    /// Multiplies by `matrix` and clamps to 0...255.
    CPK_STEP_MATRIX = 0,
    /// Mixes with the classic sepia tone by `amount`, in linear light.
    CPK_STEP_TONE = 1,
} cpk_step_kind;

/// One step of a pointwise filter.
typedef struct {
    int32_t kind;
    /// CPK_STEP_TONE: 0 keeps the pixel, 1 is the full tone.
    float amount;
    /// CPK_STEP_MATRIX: three rows of four, for red, green and blue in 0...255; the last of each row is added.
    float matrix[12];
} cpk_step;

/// The instructions a kernel uses. All of them give the same bytes.
typedef enum {
    /// The widest that this processor has.
    CPK_PATH_AUTOMATIC = 0,
    /// Four lanes, on every processor that the program itself runs on.
    CPK_PATH_BASELINE = 1,
    /// Eight lanes; x86-64 with AVX2 only.
    CPK_PATH_AVX2 = 2,
} cpk_path;

/// Whether this processor can run `path`.
bool cpk_supports(cpk_path path);

/// Runs all steps over `count` pixels of R, G, B, A bytes in one pass, in place.
///
/// Colour is held in single precision between the steps and rounded to 8 bits once, after the last. Alpha is
/// multiplied by `opacity` (0...1) and rounded to nearest. `path` must be supported.
void cpk_filter(void *pixels, size_t count, const cpk_step *steps, size_t step_count, float opacity,
                cpk_path path);

/// Mixes `count` pixels with the classic sepia tone by `amount` (0...1), in place; alpha stays.
///
/// The same picture as one CPK_STEP_TONE within a level, by table look-ups instead of powers, on any processor.
void cpk_tone(void *pixels, size_t count, double amount);

enum {
    /// The widest box: sums of so many values fit in 32 bits.
    CPK_BLUR_MAX_BOX = 1001,
    /// The most bytes that lie side by side in a line.
    CPK_BLUR_MAX_LANES = 64,
    /// The most weights on one side of a pixel, itself included.
    CPK_BLUR_MAX_WEIGHTS = 8,
};

/// How lines are blurred: by three boxes, or by weights.
typedef struct {
    /// How far a byte spreads, in steps.
    size_t reach;
    /// Width of the boxes in steps, below CPK_BLUR_MAX_BOX; of an even width the third has one more. 0: by weights.
    size_t box;
    /// The shares of a step itself and of those 1, 2 ... `reach` away.
    float weights[CPK_BLUR_MAX_WEIGHTS];
} cpk_blur;

/// Blurs a line in place: `length` steps, `step_bytes` apart, of `lanes` (1...CPK_BLUR_MAX_LANES) bytes each.
///
/// Outside the line everything is 0. The time does not depend on the width of the boxes. `scratch` has room for
/// `2 * (length + 2 * reach) * lanes` values.
void cpk_blur_line(void *start, size_t length, size_t step_bytes, size_t lanes, const cpk_blur *blur,
                   int32_t *scratch);

/// Multiplies the colour of `count` straight R, G, B, A pixels by their alpha, rounded to nearest.
void cpk_premultiply(void *pixels, size_t count);

/// Divides the colour of `count` premultiplied R, G, B, A pixels by their alpha; without alpha it becomes 0.
void cpk_unpremultiply(void *pixels, size_t count);

/// Lays a shadow under `count` straight R, G, B, A pixels: `color` (R, G, B in 0...255, alpha in 0...1), whose
/// alpha is multiplied by `shadow` (0...255) at each pixel.
void cpk_cast_shadow(void *pixels, size_t count, const uint8_t *shadow, const float *color);

/// CSS's blend modes of these names.
typedef enum {
    CPK_BLEND_MULTIPLY,
    CPK_BLEND_SCREEN,
    CPK_BLEND_OVERLAY,
    CPK_BLEND_DARKEN,
    CPK_BLEND_LIGHTEN,
    CPK_BLEND_SOFT_LIGHT,
    CPK_BLEND_COLOR_DODGE,
    CPK_BLEND_COLOR_BURN,
    CPK_BLEND_EXCLUSION,
    CPK_BLEND_HUE,
    CPK_BLEND_COLOR,
} cpk_blend;

/// Blends a layer over `count` straight R, G, B, A pixels and rounds the result to 8 bits.
///
/// `layer` has four values in 0...1 for each pixel: red, green and blue multiplied by alpha, and alpha.
void cpk_blend_row(void *pixels, const float *layer, size_t count, cpk_blend mode);

/// A colour stop: where it is, and its colour in 0...1, multiplied by its alpha.
typedef struct {
    float position;
    float premultiplied[4];
} cpk_stop;

/// Writes a part of a row of a gradient as a layer of `count` pixels, from the one with the number `first` on.
///
/// A pixel's place in the gradient is its distance from the origin; the row's first pixel is at `x`, each next one `step`
/// further. Stops are in order; beyond the ends the end's colour goes on.
void cpk_gradient_row(float *layer, size_t first, size_t count, double x, double y, double step,
                      const cpk_stop *stops, size_t stop_count);
