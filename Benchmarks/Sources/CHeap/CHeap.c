#include "CHeap.h"

#include <malloc.h>

void cheap_limit_heaps(int heaps) {
    mallopt(M_MMAP_THRESHOLD, 256 * 1024);
    mallopt(M_ARENA_MAX, heaps);
}

size_t cheap_in_use(void) {
    struct mallinfo2 all = mallinfo2();
    return all.uordblks + all.hblkhd;
}
