#include "PointwisePaths.h"

bool cpk_supports(cpk_path path) {
    switch (path) {
    case CPK_PATH_AUTOMATIC:
    case CPK_PATH_BASELINE:
        return true;
    case CPK_PATH_AVX2:
#if defined(__x86_64__)
        return __builtin_cpu_supports("avx2");
#else
        return false;
#endif
    }
    return false;
}

void cpk_filter(void *pixels, size_t count, const cpk_step *steps, size_t step_count, float opacity,
                cpk_path path) {
#if defined(__x86_64__)
    if (path == CPK_PATH_AVX2 || (path == CPK_PATH_AUTOMATIC && cpk_supports(CPK_PATH_AVX2))) {
        cpk_filter_avx2(pixels, count, steps, step_count, opacity);
        return;
    }
#endif
    cpk_filter_baseline(pixels, count, steps, step_count, opacity);
}
