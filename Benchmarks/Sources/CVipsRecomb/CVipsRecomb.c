#include "CVipsRecomb.h"

#include <vips/vips.h>

bool cvr_start(void) {
    if (VIPS_INIT("bench-filters")) return false;
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    return true;
}

bool cvr_recomb(const uint8_t *pixels, int width, int height, const double matrix[9]) {
    size_t size = (size_t)width * (size_t)height * 3;
    VipsImage *source = vips_image_new_from_memory(pixels, size, width, height, 3, VIPS_FORMAT_UCHAR);
    VipsImage *weights = vips_image_new_matrix_from_array(3, 3, matrix, 9);
    VipsImage *mixed = NULL;
    VipsImage *result = NULL;
    void *bytes = NULL;
    size_t written = 0;
    if (source && weights && !vips_recomb(source, &mixed, weights, NULL)
        && !vips_cast_uchar(mixed, &result, NULL)) {
        bytes = vips_image_write_to_memory(result, &written);
    }
    g_free(bytes);
    if (result) g_object_unref(result);
    if (mixed) g_object_unref(mixed);
    if (weights) g_object_unref(weights);
    if (source) g_object_unref(source);
    return written == size;
}
