#include <stddef.h>

/// Sets malloc up as the programs do at their start.
void cheap_limit_as_the_programs_do(int heaps);

/// The bytes that the program has from malloc and has not given back, in all of its heaps.
size_t cheap_in_use(void);
