#include "CScaledJPEG.h"

#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

long scaled_jpeg_decode(const unsigned char *data, size_t size, unsigned longest) {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    info.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, data, size);
    if (jpeg_read_header(&info, TRUE) != JPEG_HEADER_OK) return -1;
    info.scale_denom = 8;
    info.out_color_space = JCS_EXT_RGBA;
    for (info.scale_num = 1; info.scale_num < 8; info.scale_num *= 2) {
        jpeg_calc_output_dimensions(&info);
        if (info.output_width >= longest || info.output_height >= longest) break;
    }
    jpeg_start_decompress(&info);
    JSAMPROW row = malloc((size_t)info.output_width * 4);
    long sum = 0;
    while (info.output_scanline < info.output_height) {
        jpeg_read_scanlines(&info, &row, 1);
        sum += row[0];
    }
    free(row);
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
    return sum;
}
