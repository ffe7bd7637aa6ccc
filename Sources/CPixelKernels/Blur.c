#include <string.h>

#include "CPixelKernels.h"

#pragma STDC FP_CONTRACT OFF

// A line is what is blurred at once: `lanes` bytes side by side at each of its `length` steps. In a row of pixels the
// lanes are the channels; in columns they are the bytes of as many pixels as share a cache line.

#define LINE_INLINE static inline __attribute__((always_inline))

enum {
    /// Between the boxes values are fixed-point numbers of 8 and this many bits: the sum of CPK_BLUR_MAX_BOX of them
    /// still fits.
    FRACTION = 13,
};

/// The running sum of `before` steps, the step itself and `after` steps, divided by their number.
///
/// The sum is of whole numbers, so that nothing is left behind by what has passed.
LINE_INLINE void box(const int32_t *in, int32_t *out, size_t length, size_t lanes, size_t before, size_t after) {
    int32_t sums[CPK_BLUR_MAX_LANES] = {0};
    const float share = 1 / (float)(before + 1 + after);
    for (size_t step = 0; step < after && step < length; step++) {
        for (size_t lane = 0; lane < lanes; lane++) sums[lane] += in[step * lanes + lane];
    }
    for (size_t step = 0; step < length; step++) {
        if (step + after < length) {
            const int32_t *entering = in + (step + after) * lanes;
            for (size_t lane = 0; lane < lanes; lane++) sums[lane] += entering[lane];
        }
        if (step > before) {
            const int32_t *leaving = in + (step - before - 1) * lanes;
            for (size_t lane = 0; lane < lanes; lane++) sums[lane] -= leaving[lane];
        }
        for (size_t lane = 0; lane < lanes; lane++) {
            out[step * lanes + lane] = (int32_t)((float)sums[lane] * share + 0.5f);
        }
    }
}

LINE_INLINE void weighted(const int32_t *in, int32_t *out, size_t length, size_t lanes, const cpk_blur *blur) {
    for (size_t step = 0; step < length; step++) {
        float sums[CPK_BLUR_MAX_LANES] = {0};
        size_t first = step > blur->reach ? step - blur->reach : 0;
        size_t end = step + blur->reach + 1 < length ? step + blur->reach + 1 : length;
        for (size_t near = first; near < end; near++) {
            float weight = blur->weights[near > step ? near - step : step - near];
            for (size_t lane = 0; lane < lanes; lane++) sums[lane] += weight * (float)in[near * lanes + lane];
        }
        for (size_t lane = 0; lane < lanes; lane++) out[step * lanes + lane] = (int32_t)(sums[lane] + 0.5f);
    }
}

LINE_INLINE void blur_lanes(uint8_t *start, size_t length, size_t step_bytes, size_t lanes, const cpk_blur *blur,
                            int32_t *scratch) {
    // What lies outside is empty at first, but the first boxes spread into it and the later ones back.
    const size_t reach = blur->reach;
    const size_t whole = length + 2 * reach;
    int32_t *line = scratch;
    int32_t *other = scratch + whole * lanes;
    memset(line, 0, reach * lanes * sizeof *line);
    memset(line + (reach + length) * lanes, 0, reach * lanes * sizeof *line);
    for (size_t step = 0; step < length; step++) {
        for (size_t lane = 0; lane < lanes; lane++) {
            line[(reach + step) * lanes + lane] = start[step * step_bytes + lane] << FRACTION;
        }
    }
    const size_t d = blur->box;
    if (d == 0) {
        weighted(line, other, whole, lanes, blur);
        line = other;
    } else if (d % 2 == 1) {
        box(line, other, whole, lanes, d / 2, d / 2);
        box(other, line, whole, lanes, d / 2, d / 2);
        box(line, other, whole, lanes, d / 2, d / 2);
        line = other;
    } else {
        // Two boxes that are half a pixel off, either way, and one that has a middle.
        box(line, other, whole, lanes, d / 2, d / 2 - 1);
        box(other, line, whole, lanes, d / 2 - 1, d / 2);
        box(line, other, whole, lanes, d / 2, d / 2);
        line = other;
    }
    for (size_t step = 0; step < length; step++) {
        for (size_t lane = 0; lane < lanes; lane++) {
            int32_t value = (line[(reach + step) * lanes + lane] + (1 << (FRACTION - 1))) >> FRACTION;
            start[step * step_bytes + lane] = (uint8_t)(value > 255 ? 255 : value);
        }
    }
}

void cpk_blur_line(void *start, size_t length, size_t step_bytes, size_t lanes, const cpk_blur *blur,
                   int32_t *scratch) {
    // Constant numbers of lanes get loops of their own.
    switch (lanes) {
    case 1: blur_lanes(start, length, step_bytes, 1, blur, scratch); break;
    case 4: blur_lanes(start, length, step_bytes, 4, blur, scratch); break;
    case CPK_BLUR_MAX_LANES: blur_lanes(start, length, step_bytes, CPK_BLUR_MAX_LANES, blur, scratch); break;
    default: blur_lanes(start, length, step_bytes, lanes, blur, scratch); break;
    }
}

void cpk_premultiply(void *bytes, size_t count) {
    uint8_t *pixel = bytes;
    for (; count > 0; count--, pixel += 4) {
        for (int i = 0; i < 3; i++) pixel[i] = (uint8_t)((pixel[i] * pixel[3] + 127) / 255);
    }
}

void cpk_unpremultiply(void *bytes, size_t count) {
    uint8_t *pixel = bytes;
    for (; count > 0; count--, pixel += 4) {
        const uint32_t alpha = pixel[3];
        if (alpha == 255) continue;
        for (int i = 0; i < 3; i++) {
            uint32_t value = alpha == 0 ? 0 : (pixel[i] * 255 + alpha / 2) / alpha;
            pixel[i] = (uint8_t)(value > 255 ? 255 : value);
        }
    }
}

void cpk_cast_shadow(void *bytes, size_t count, const uint8_t *shadow, const float *color) {
    uint8_t *pixel = bytes;
    for (size_t x = 0; x < count; x++, pixel += 4) {
        if (pixel[3] == 255 || shadow[x] == 0) continue;
        const float above = pixel[3] * (1 / 255.0f);
        const float below = (1 - above) * color[3] * (float)shadow[x] * (1 / 255.0f);
        const float alpha = above + below;
        if (alpha <= 0) continue;
        for (int i = 0; i < 3; i++) {
            float mixed = (pixel[i] * above + color[i] * below) / alpha;
            pixel[i] = (uint8_t)(mixed >= 255 ? 255 : mixed + 0.5f);
        }
        pixel[3] = (uint8_t)(alpha >= 1 ? 255 : alpha * 255 + 0.5f);
    }
}
