#include "PointwisePaths.h"

#define KERNEL_NAME cpk_filter_baseline
#define LANES 4
#include "PointwiseKernel.h"
