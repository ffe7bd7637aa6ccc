#pragma once

#include <stddef.h>

/// The floor: libjpeg-turbo's scaled decode of a file in memory, to the smallest of 1/8, 1/4, 1/2 and 1/1 whose longest
/// side is not below `longest`, and nothing else. Returns a sum over the pixels, -1 for a file it cannot read.
long scaled_jpeg_decode(const unsigned char *data, size_t size, unsigned longest);
