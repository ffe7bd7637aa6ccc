#include "CHeap.h"

#include <malloc.h>

size_t cheap_in_use(void) {
    struct mallinfo2 all = mallinfo2();
    return all.uordblks + all.hblkhd;
}
