#include <stdlib.h>
#include <string.h>

#include "session.h"

static void ignore_warning(j_common_ptr info, int level) {
    (void)info;
    (void)level;
}

/// Lays a row of straight alpha over the background; a byte of alpha a counts as a / 255.
static void lay_over(uint8_t *to, const uint8_t *from, uint32_t width, const uint8_t background[3]) {
    for (uint32_t x = 0; x < width; x++, to += 4, from += 4) {
        uint32_t alpha = from[3];
        for (int c = 0; c < 3; c++) to[c] = (uint8_t)((from[c] * alpha + background[c] * (255 - alpha) + 127) / 255);
        to[3] = 255;
    }
}

cjpeg_status cjpeg_encode(
    const cjpeg_encode_request *request, uint8_t **out, unsigned long *out_size, char message[CJPEG_MESSAGE_SIZE]) {
    struct jpeg_compress_struct info;
    cjpeg_errors errors;
    uint8_t *volatile row = NULL;
    struct jpeg_destination_mgr *volatile destination = NULL;
    *out = NULL;
    *out_size = 0;

    memset(&info, 0, sizeof info);
    info.err = cjpeg_errors_init(&errors, message, ignore_warning);
    if (setjmp(errors.escape)) {
        // Only now libjpeg tells where the file lies since it has grown; what `out` named before is freed.
        if (destination && *out) destination->term_destination(&info);
        jpeg_destroy_compress(&info);
        free(row);
        free(*out);
        *out = NULL;
        return errors.status;
    }
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, out, out_size);
    destination = info.dest;
    info.image_width = request->width;
    info.image_height = request->height;
    info.input_components = 4;
    info.in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, request->quality, TRUE);
    info.comp_info[0].h_samp_factor = request->subsamples ? 2 : 1;
    info.comp_info[0].v_samp_factor = request->subsamples ? 2 : 1;
    info.optimize_coding = request->optimizes || request->progressive;
    if (request->progressive) jpeg_simple_progression(&info);
    jpeg_start_compress(&info, TRUE);
    if (!request->is_opaque) {
        row = malloc((size_t)request->width * 4);
        if (!row) cjpeg_escape((j_common_ptr)&info, CJPEG_OUT_OF_MEMORY, "out of memory");
    }
    while (info.next_scanline < info.image_height) {
        const uint8_t *from = request->pixels + (size_t)info.next_scanline * request->width * 4;
        JSAMPROW rows[1] = {row ? row : (uint8_t *)from};
        if (row) lay_over(row, from, request->width, request->background);
        jpeg_write_scanlines(&info, rows, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    free(row);
    return CJPEG_DONE;
}
