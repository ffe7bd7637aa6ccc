#pragma once
// What newer versions deprecate is no warning.
#define ZSTD_DISABLE_DEPRECATE_WARNINGS
#include <zstd.h>
