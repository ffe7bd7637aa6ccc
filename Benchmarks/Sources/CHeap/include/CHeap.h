#include <stddef.h>

/// The bytes that the program has from malloc and has not given back, in all of its heaps.
size_t cheap_in_use(void);
