#include <stdlib.h>
#include <string.h>

#include "CJPEGReducer.h"
#include "session.h"

/// The whole file in memory, and what happened at its end.
typedef struct {
    struct jpeg_source_mgr base;
    int ran_out;
} memory_source;

typedef struct {
    struct jpeg_progress_mgr base;
    const cjpeg_decode_request *request;
} scan_watch;

static const JOCTET end_of_image[2] = {0xFF, JPEG_EOI};

static void nothing(j_decompress_ptr info) {
    (void)info;
}

/// Past the end an end-of-image marker is handed out, as libjpeg advises. Whether the picture is complete without
/// the missing bytes shows later: a file that lacks only this marker is sound.
static boolean at_end(j_decompress_ptr info) {
    memory_source *source = (memory_source *)info->src;
    source->ran_out = 1;
    source->base.next_input_byte = end_of_image;
    source->base.bytes_in_buffer = 2;
    return TRUE;
}

static void skip(j_decompress_ptr info, long count) {
    if (count <= 0) return;
    if ((size_t)count > info->src->bytes_in_buffer) {
        at_end(info);
        return;
    }
    info->src->next_input_byte += count;
    info->src->bytes_in_buffer -= (size_t)count;
}

/// Level -1 is a warning about the data.
static void on_warning(j_common_ptr info, int level) {
    if (level >= 0 || !cjpeg_spoils_pixels(info->err->msg_code)) return;
    char text[JMSG_LENGTH_MAX];
    if (((memory_source *)((j_decompress_ptr)info)->src)->ran_out) {
        cjpeg_escape(info, CJPEG_DAMAGED, "the file is cut off");
    }
    info->err->format_message(info, text);
    cjpeg_escape(info, CJPEG_DAMAGED, text);
}

/// Called by libjpeg for each row of blocks, also while it reads the scans of a progressive file.
static void on_progress(j_common_ptr info) {
    const cjpeg_decode_request *request = ((scan_watch *)info->progress)->request;
    if (((j_decompress_ptr)info)->input_scan_number > (int)request->max_scans) {
        cjpeg_escape(info, CJPEG_DAMAGED, "it has too many scans");
    }
    if (request->should_stop(request->context)) cjpeg_escape(info, CJPEG_STOPPED, "stopped");
}

/// Whether every coefficient of a file in several scans has arrived in full precision.
static int has_all_scans(j_decompress_ptr info) {
    if (!info->progressive_mode || !info->coef_bits) return 0;
    for (int c = 0; c < info->num_components; c++) {
        for (int k = 0; k < DCTSIZE2; k++) {
            if (info->coef_bits[c][k] != 0) return 0;
        }
    }
    return 1;
}

cjpeg_status cjpeg_decode(const cjpeg_decode_request *request, char message[CJPEG_MESSAGE_SIZE]) {
    struct jpeg_decompress_struct info;
    cjpeg_errors errors;
    memory_source source = {.base = {.next_input_byte = request->data, .bytes_in_buffer = request->size}};
    scan_watch watch = {.base = {.progress_monitor = on_progress}, .request = request};
    // Volatile: both are set after setjmp and freed after a longjmp.
    cjpeg_reducer *volatile reducer = NULL;
    uint8_t *volatile row = NULL;

    memset(&info, 0, sizeof info);
    info.err = cjpeg_errors_init(&errors, message, on_warning);
    if (setjmp(errors.escape)) {
        jpeg_destroy_decompress(&info);
        cjpeg_reducer_destroy(reducer);
        free(row);
        return errors.status;
    }
    jpeg_create_decompress(&info);
    // A second guard behind the caller's estimate: without a file to swap to, libjpeg fails beyond this.
    info.mem->max_memory_to_use = request->max_memory > (uint64_t)INT64_MAX ? INT64_MAX : (long)request->max_memory;
    source.base.init_source = nothing;
    source.base.fill_input_buffer = at_end;
    source.base.skip_input_data = skip;
    source.base.resync_to_restart = jpeg_resync_to_restart;
    source.base.term_source = nothing;
    info.src = &source.base;
    info.progress = &watch.base;

    jpeg_read_header(&info, TRUE);
    cjpeg_set_output(
        &info, request->width, request->height, request->eighths, request->out_width, request->keeps_inks);
    jpeg_start_decompress(&info);
    if (source.ran_out && jpeg_has_multiple_scans(&info) && !has_all_scans(&info)) {
        cjpeg_escape((j_common_ptr)&info, CJPEG_DAMAGED, "the file is cut off");
    }
    if (info.output_components != 4) {
        cjpeg_escape((j_common_ptr)&info, CJPEG_UNSUPPORTED, "its colours are of an unknown kind");
    }
    reducer = cjpeg_reducer_create(
        info.output_width, info.output_height, request->out_width, request->out_height, 0, request->canvas);
    row = malloc((size_t)info.output_width * 4);
    if (!reducer || !row) cjpeg_escape((j_common_ptr)&info, CJPEG_OUT_OF_MEMORY, "out of memory");
    while (info.output_scanline < info.output_height) {
        JSAMPROW rows[1] = {row};
        jpeg_read_scanlines(&info, rows, 1);
        cjpeg_reducer_push(reducer, row, 4);
    }
    jpeg_destroy_decompress(&info);
    cjpeg_reducer_destroy(reducer);
    free(row);
    return CJPEG_DONE;
}
