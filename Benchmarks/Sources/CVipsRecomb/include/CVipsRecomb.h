#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Starts libvips with one worker and no cache; false if it cannot.
bool cvr_start(void);

/// Multiplies `width` x `height` pixels of R, G, B bytes by a 3 x 3 matrix with `vips_recomb`, into 8 bits again.
///
/// Reads `pixels` where they are and lets libvips allocate the result, which is thrown away; false on failure.
bool cvr_recomb(const uint8_t *pixels, int width, int height, const double matrix[9]);
