#pragma once
#include <xxhash.h>

/// Has the processor fetch what is about to be looked at, as a table of hashes is looked at in places that it cannot foresee.
static inline void cxxhash_prefetch(const void *place) { __builtin_prefetch(place, 1); }
