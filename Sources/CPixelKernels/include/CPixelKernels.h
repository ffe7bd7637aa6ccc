#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/// Adds one row of `width` R, G, B, A pixels, premultiplied by their alpha and times `row_weight`, to the sums
/// of the target pixels that it covers.
///
/// `sums` has `target_width` times four values: red, green, blue (premultiplied) and alpha. A source pixel that
/// straddles two targets is shared out by area; each target is `width / target_width` pixels wide.
void cpk_area_add_row(const void *row, size_t width, float *sums, size_t target_width, float row_weight);

/// Writes sums that cover `area` source pixels each as straight R, G, B, A bytes.
void cpk_area_finish(const float *sums, size_t target_width, float area, void *row);
