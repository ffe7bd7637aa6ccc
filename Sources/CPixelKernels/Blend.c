#include <math.h>

#include "CPixelKernels.h"

#pragma STDC FP_CONTRACT OFF

// The formulae are those of W3C Compositing and Blending Level 1, sections 5.8 and 10. Channels are 0...1.

#define BLEND_INLINE static inline __attribute__((always_inline))

typedef struct {
    float channel[3];
} rgb;

BLEND_INLINE float lesser(float a, float b) { return a < b ? a : b; }
BLEND_INLINE float greater(float a, float b) { return a > b ? a : b; }

BLEND_INLINE float soft_light(float below, float above) {
    if (above <= 0.5f) return below - (1 - 2 * above) * below * (1 - below);
    float curve = below <= 0.25f ? ((16 * below - 12) * below + 4) * below : __builtin_sqrtf(below);
    return below + (2 * above - 1) * (curve - below);
}

BLEND_INLINE float separable(cpk_blend mode, float below, float above) {
    switch (mode) {
    case CPK_BLEND_MULTIPLY: return below * above;
    case CPK_BLEND_SCREEN: return below + above - below * above;
    case CPK_BLEND_OVERLAY:
        return below <= 0.5f ? 2 * below * above : 1 - 2 * (1 - below) * (1 - above);
    case CPK_BLEND_DARKEN: return lesser(below, above);
    case CPK_BLEND_LIGHTEN: return greater(below, above);
    case CPK_BLEND_SOFT_LIGHT: return soft_light(below, above);
    case CPK_BLEND_COLOR_DODGE:
        if (below <= 0) return 0;
        return above >= 1 ? 1 : lesser(1, below / (1 - above));
    case CPK_BLEND_COLOR_BURN:
        if (below >= 1) return 1;
        return above <= 0 ? 0 : 1 - lesser(1, (1 - below) / above);
    case CPK_BLEND_EXCLUSION: return below + above - 2 * below * above;
    case CPK_BLEND_HUE:
    case CPK_BLEND_COLOR: break;
    }
    return above;
}

BLEND_INLINE float luminosity(rgb c) { return 0.3f * c.channel[0] + 0.59f * c.channel[1] + 0.11f * c.channel[2]; }

BLEND_INLINE float least(rgb c) { return lesser(c.channel[0], lesser(c.channel[1], c.channel[2])); }
BLEND_INLINE float greatest(rgb c) { return greater(c.channel[0], greater(c.channel[1], c.channel[2])); }

/// The colour moved to a luminosity, and towards grey as far as the range asks for.
BLEND_INLINE rgb with_luminosity(rgb c, float target) {
    const float shift = target - luminosity(c);
    for (int i = 0; i < 3; i++) c.channel[i] += shift;
    const float middle = luminosity(c), low = least(c), high = greatest(c);
    if (low < 0) {
        for (int i = 0; i < 3; i++) c.channel[i] = middle + (c.channel[i] - middle) * middle / (middle - low);
    }
    if (high > 1) {
        for (int i = 0; i < 3; i++) {
            c.channel[i] = middle + (c.channel[i] - middle) * (1 - middle) / (high - middle);
        }
    }
    return c;
}

/// The colour stretched so that its greatest and least channel are `target` apart.
BLEND_INLINE rgb with_saturation(rgb c, float target) {
    const float low = least(c), range = greatest(c) - low;
    for (int i = 0; i < 3; i++) c.channel[i] = range > 0 ? (c.channel[i] - low) * target / range : 0;
    return c;
}

BLEND_INLINE rgb blended(cpk_blend mode, rgb below, rgb above) {
    if (mode == CPK_BLEND_COLOR) return with_luminosity(above, luminosity(below));
    if (mode == CPK_BLEND_HUE) {
        return with_luminosity(with_saturation(above, greatest(below) - least(below)), luminosity(below));
    }
    rgb result;
    for (int i = 0; i < 3; i++) result.channel[i] = separable(mode, below.channel[i], above.channel[i]);
    return result;
}

BLEND_INLINE uint8_t rounded(float value) {
    return (uint8_t)(value <= 0 ? 0 : value >= 1 ? 255 : value * 255 + 0.5f);
}

BLEND_INLINE void blend(cpk_blend mode, uint8_t *pixel, const float *layer, size_t count) {
    for (; count > 0; count--, pixel += 4, layer += 4) {
        const float above_alpha = layer[3];
        if (above_alpha <= 0) continue;
        const float below_alpha = pixel[3] * (1 / 255.0f);
        rgb below, above;
        for (int i = 0; i < 3; i++) {
            below.channel[i] = pixel[i] * (1 / 255.0f);
            above.channel[i] = lesser(1, layer[i] / above_alpha);
        }
        const rgb both = blended(mode, below, above);
        const float alpha = above_alpha + below_alpha - above_alpha * below_alpha;
        for (int i = 0; i < 3; i++) {
            float sum = layer[i] * (1 - below_alpha) + below.channel[i] * below_alpha * (1 - above_alpha)
                + above_alpha * below_alpha * both.channel[i];
            pixel[i] = rounded(sum / alpha);
        }
        pixel[3] = rounded(alpha);
    }
}

void cpk_blend_row(void *pixels, const float *layer, size_t count, cpk_blend mode) {
    // The mode is a constant in each call, so that every mode gets a loop of its own.
    switch (mode) {
    case CPK_BLEND_MULTIPLY: blend(CPK_BLEND_MULTIPLY, pixels, layer, count); break;
    case CPK_BLEND_SCREEN: blend(CPK_BLEND_SCREEN, pixels, layer, count); break;
    case CPK_BLEND_OVERLAY: blend(CPK_BLEND_OVERLAY, pixels, layer, count); break;
    case CPK_BLEND_DARKEN: blend(CPK_BLEND_DARKEN, pixels, layer, count); break;
    case CPK_BLEND_LIGHTEN: blend(CPK_BLEND_LIGHTEN, pixels, layer, count); break;
    case CPK_BLEND_SOFT_LIGHT: blend(CPK_BLEND_SOFT_LIGHT, pixels, layer, count); break;
    case CPK_BLEND_COLOR_DODGE: blend(CPK_BLEND_COLOR_DODGE, pixels, layer, count); break;
    case CPK_BLEND_COLOR_BURN: blend(CPK_BLEND_COLOR_BURN, pixels, layer, count); break;
    case CPK_BLEND_EXCLUSION: blend(CPK_BLEND_EXCLUSION, pixels, layer, count); break;
    case CPK_BLEND_HUE: blend(CPK_BLEND_HUE, pixels, layer, count); break;
    case CPK_BLEND_COLOR: blend(CPK_BLEND_COLOR, pixels, layer, count); break;
    }
}

void cpk_gradient_row(float *layer, size_t first, size_t count, double x, double y, double step,
                      const cpk_stop *stops, size_t stop_count) {
    for (size_t i = first; i < first + count; i++, layer += 4) {
        const double along = x + (double)i * step;
        const float t = (float)sqrt(along * along + y * y);
        size_t next = 0;
        while (next < stop_count && stops[next].position <= t) next++;
        if (next == 0 || next == stop_count) {
            const float *end = stops[next == 0 ? 0 : stop_count - 1].premultiplied;
            for (int c = 0; c < 4; c++) layer[c] = end[c];
            continue;
        }
        const cpk_stop *from = stops + next - 1, *to = stops + next;
        const float share = (t - from->position) / (to->position - from->position);
        for (int c = 0; c < 4; c++) {
            layer[c] = from->premultiplied[c] + (to->premultiplied[c] - from->premultiplied[c]) * share;
        }
    }
}
