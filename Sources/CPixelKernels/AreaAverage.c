#include "CPixelKernels.h"

#pragma STDC FP_CONTRACT OFF

typedef float channels __attribute__((ext_vector_type(4)));
typedef uint8_t bytes __attribute__((ext_vector_type(4)));

static inline channels premultiplied(const uint8_t *pixel, float weight) {
    bytes straight = {pixel[0], pixel[1], pixel[2], 1};
    return __builtin_convertvector(straight, channels) * (weight * pixel[3]);
}

void cpk_area_add_row(const void *row_bytes, size_t width, float *sums, size_t target_width, float row_weight) {
    const uint8_t *row = row_bytes;
    // Positions are counted in units of 1 / target_width source pixels, so that every border is a whole number.
    size_t x = 0;
    size_t used = 0;
    for (size_t target = 0; target < target_width; target++) {
        size_t wanted = width;
        channels sum = 0;
        while (wanted > 0) {
            size_t left = target_width - used;
            size_t taken = left < wanted ? left : wanted;
            sum += premultiplied(row + x * 4, (float)taken);
            wanted -= taken;
            used += taken;
            if (used == target_width) {
                used = 0;
                x++;
            }
        }
        sum *= row_weight / (float)target_width;
        for (int i = 0; i < 4; i++) sums[target * 4 + i] += sum[i];
    }
}

static inline uint8_t rounded(float value) {
    return value >= 255 ? 255 : (uint8_t)(value + 0.5f);
}

void cpk_area_finish(const float *sums, size_t target_width, float area, void *row_bytes) {
    uint8_t *row = row_bytes;
    for (size_t target = 0; target < target_width; target++, sums += 4, row += 4) {
        float alpha = sums[3];
        float unit = alpha > 0 ? 1 / alpha : 0;
        for (int i = 0; i < 3; i++) row[i] = rounded(sums[i] * unit);
        row[3] = rounded(alpha / area);
    }
}
