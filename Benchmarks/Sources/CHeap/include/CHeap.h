#include <stddef.h>

/// Has what malloc gives from 256 kB on go back to the system when it is freed, as `classicphotos` does. The app, which
/// draws windows, keeps up to 4 MB.
void cheap_limit_heaps(int heaps);

/// The bytes that the program has from malloc and has not given back, in all of its heaps.
size_t cheap_in_use(void);
