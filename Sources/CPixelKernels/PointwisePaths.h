#pragma once

#include "CPixelKernels.h"

void cpk_filter_baseline(uint8_t *pixels, size_t count, const cpk_step *steps, size_t step_count, float opacity);

#if defined(__x86_64__)
void cpk_filter_avx2(uint8_t *pixels, size_t count, const cpk_step *steps, size_t step_count, float opacity);
#endif
