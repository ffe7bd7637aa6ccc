// The pointwise kernel, for any number of lanes. A source file defines KERNEL_NAME and LANES and includes this
// once, so that every path is the same operations in the same order. Nothing here may be contracted into fused
// multiply-adds: they round differently, and all paths must agree to the bit.

#include <string.h>

#include "CPixelKernels.h"

#pragma STDC FP_CONTRACT OFF

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "pixels are unpacked as little-endian words"
#endif

typedef float floats __attribute__((ext_vector_type(LANES)));
typedef int32_t ints __attribute__((ext_vector_type(LANES)));
typedef uint32_t words __attribute__((ext_vector_type(LANES)));

#define KERNEL_INLINE static inline __attribute__((always_inline))

typedef struct {
    floats red, green, blue;
} color;

/// The order of the comparisons turns a NaN into `low`.
KERNEL_INLINE floats clamped(floats value, float low, float high) {
    value = value > (floats)low ? value : (floats)low;
    return value < (floats)high ? value : (floats)high;
}

KERNEL_INLINE floats row_product(const float *row, color c) {
    return (c.red * row[0] + c.green * row[1]) + (c.blue * row[2] + row[3]);
}

KERNEL_INLINE color multiplied(color c, const float *matrix) {
    return (color){
        clamped(row_product(matrix, c), 0, 255),
        clamped(row_product(matrix + 4, c), 0, 255),
        clamped(row_product(matrix + 8, c), 0, 255),
    };
}

/// sRGB to linear light, both in 0...1.
///
/// The power is the polynomial through the seven Chebyshev nodes of 0.04045...1: 0.03 levels of 255 off at most.
KERNEL_INLINE floats decoded(floats v) {
    floats power = v * -0.0471605817f + 0.203136596f;
    power = power * v + -0.40627095f;
    power = power * v + 0.700870755f;
    power = power * v + 0.51585769f;
    power = power * v + 0.0326325297f;
    power = power * v + 0.000931145439f;
    return v <= (floats)0.04045f ? v * (1 / 12.92f) : power;
}

/// Linear light to sRGB, both in 0...1.
///
/// x^(5/12) is u^(5/3) in the fourth root u, which is smooth: the polynomial through the five Chebyshev nodes of
/// 0.0031308^(1/4)...1 is 0.013 levels of 255 off at most. Square roots are exact, hence equal on all paths.
KERNEL_INLINE floats encoded(floats x) {
    floats u = __builtin_elementwise_sqrt(__builtin_elementwise_sqrt(x));
    floats power = u * 0.0764924975f + -0.323431682f;
    power = power * u + 1.11208961f;
    power = power * u + 0.199953621f;
    power = power * u + -0.0650813091f;
    return x <= (floats)0.0031308f ? x * 12.92f : power;
}

KERNEL_INLINE floats quartic(floats y, float c4, float c3, float c2, float c1, float c0) {
    return (((y * c4 + c3) * y + c2) * y + c1) * y + c0;
}

KERNEL_INLINE floats tone_mixed(floats linear, floats tone, float amount) {
    floats target = decoded(clamped(tone, 0, 1));
    floats mixed = linear + (target - linear) * amount;
    return clamped(encoded(clamped(mixed, 0, 1)) * 255, 0, 255);
}

/// The quartics are a fit to published pictures of the phone apps' sepia, over the encoded Rec. 709 luminance.
KERNEL_INLINE color toned(color c, float amount) {
    const float unit = 1 / 255.0f;
    floats red = decoded(c.red * unit);
    floats green = decoded(c.green * unit);
    floats blue = decoded(c.blue * unit);
    floats y = encoded((red * 0.2126f + green * 0.7152f) + blue * 0.0722f);
    return (color){
        tone_mixed(red, quartic(y, -0.5617f, 1.565f, -1.6821f, 1.668f, 0.0114f), amount),
        tone_mixed(green, quartic(y, -0.0483f, -0.0162f, 0.2304f, 0.83f, -0.0002f), amount),
        tone_mixed(blue, quartic(y, 0.3685f, -1.0224f, 1.8376f, -0.2176f, -0.0001f), amount),
    };
}

KERNEL_INLINE color unpacked(words pixels) {
    return (color){
        __builtin_convertvector((ints)(pixels & 255), floats),
        __builtin_convertvector((ints)((pixels >> 8) & 255), floats),
        __builtin_convertvector((ints)((pixels >> 16) & 255), floats),
    };
}

/// Rounds 0...255 to nearest.
KERNEL_INLINE words rounded(floats value) {
    return (words)__builtin_convertvector(value + 0.5f, ints);
}

KERNEL_INLINE words packed(color c, words alpha) {
    return (rounded(c.red) | (rounded(c.green) << 8)) | ((rounded(c.blue) << 16) | alpha);
}

KERNEL_INLINE words faded_alpha(words pixels, float opacity) {
    floats alpha = __builtin_convertvector((ints)(pixels >> 24), floats);
    return rounded(alpha * opacity) << 24;
}

KERNEL_INLINE words filtered(words pixels, const cpk_step *steps, size_t step_count, float opacity) {
    color c = unpacked(pixels);
    for (size_t i = 0; i < step_count; i++) {
        c = steps[i].kind == CPK_STEP_MATRIX ? multiplied(c, steps[i].matrix) : toned(c, steps[i].amount);
    }
    words alpha = opacity == 1 ? pixels & 0xff000000u : faded_alpha(pixels, opacity);
    return packed(c, alpha);
}

KERNEL_INLINE words load(const uint8_t *from) {
    words pixels;
    memcpy(&pixels, from, sizeof pixels);
    return pixels;
}

/// `step_count` and `opacity` are constants at the calls below, so that the common chains get loops of their own.
KERNEL_INLINE void run(uint8_t *pixels, size_t count, const cpk_step *steps, size_t step_count, float opacity) {
    size_t whole = count / LANES * LANES;
    for (size_t i = 0; i < whole; i += LANES) {
        words result = filtered(load(pixels + i * 4), steps, step_count, opacity);
        memcpy(pixels + i * 4, &result, sizeof result);
    }
    if (whole < count) {
        uint8_t tail[LANES * 4] = {0};
        size_t bytes = (count - whole) * 4;
        memcpy(tail, pixels + whole * 4, bytes);
        words result = filtered(load(tail), steps, step_count, opacity);
        memcpy(pixels + whole * 4, &result, bytes);
    }
}

void KERNEL_NAME(uint8_t *pixels, size_t count, const cpk_step *steps, size_t step_count, float opacity) {
    if (step_count == 1 && opacity == 1 && steps[0].kind == CPK_STEP_MATRIX) {
        // A copy that is not reachable through `pixels` lets the compiler keep the matrix in registers.
        cpk_step only = steps[0];
        only.kind = CPK_STEP_MATRIX;
        run(pixels, count, &only, 1, 1);
    } else {
        run(pixels, count, steps, step_count, opacity);
    }
}
