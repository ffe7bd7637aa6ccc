#include "PointwisePaths.h"

#if defined(__x86_64__)
// Headers come first: their functions keep the attributes they were declared with.
#include <string.h>

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define KERNEL_NAME cpk_filter_avx2
#define LANES 8
#include "PointwiseKernel.h"
#pragma clang attribute pop
#endif
