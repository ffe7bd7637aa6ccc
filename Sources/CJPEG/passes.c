#include <stdlib.h>
#include <string.h>

#include "CJPEGPasses.h"
#include "session.h"

struct cjpeg_passes {
    struct jpeg_decompress_struct info;
    cjpeg_errors errors;
    struct jpeg_source_mgr source;
    cjpeg_output output;
    /// What has arrived and libjpeg has not finished with; it goes back in it when it runs out.
    uint8_t *bytes;
    size_t capacity;
    /// Bytes yet to come that libjpeg wants to jump over.
    size_t skipped;
    uint8_t *row;
    int has_header, is_complete;
};

static void nothing(j_decompress_ptr info) {
    (void)info;
}

/// More bytes come later: libjpeg returns to its caller and goes on where it was.
static boolean suspend(j_decompress_ptr info) {
    (void)info;
    return FALSE;
}

static void skip(j_decompress_ptr info, long count) {
    if (count <= 0) return;
    cjpeg_passes *passes = info->client_data;
    size_t there = (size_t)count < info->src->bytes_in_buffer ? (size_t)count : info->src->bytes_in_buffer;
    info->src->next_input_byte += there;
    info->src->bytes_in_buffer -= there;
    passes->skipped += (size_t)count - there;
}

static void on_warning(j_common_ptr info, int level) {
    if (level >= 0 || !cjpeg_spoils_pixels(info->err->msg_code)) return;
    char text[JMSG_LENGTH_MAX];
    info->err->format_message(info, text);
    cjpeg_escape(info, CJPEG_DAMAGED, text);
}

cjpeg_passes *cjpeg_passes_create(
    const cjpeg_output *output, uint64_t max_memory, char message[CJPEG_MESSAGE_SIZE]) {
    cjpeg_passes *passes = calloc(1, sizeof *passes);
    if (!passes) return NULL;
    passes->output = *output;
    j_decompress_ptr info = &passes->info;
    info->err = cjpeg_errors_init(&passes->errors, message, on_warning);
    if (setjmp(passes->errors.escape)) {
        cjpeg_passes_destroy(passes);
        return NULL;
    }
    jpeg_create_decompress(info);
    info->client_data = passes;
    info->mem->max_memory_to_use = max_memory > (uint64_t)INT64_MAX ? INT64_MAX : (long)max_memory;
    passes->source.init_source = nothing;
    passes->source.fill_input_buffer = suspend;
    passes->source.skip_input_data = skip;
    passes->source.resync_to_restart = jpeg_resync_to_restart;
    passes->source.term_source = nothing;
    info->src = &passes->source;
    return passes;
}

void cjpeg_passes_destroy(cjpeg_passes *passes) {
    if (!passes) return;
    jpeg_destroy_decompress(&passes->info);
    free(passes->row);
    free(passes->bytes);
    free(passes);
}

/// Puts new bytes behind those that libjpeg still needs.
static int take(cjpeg_passes *passes, const uint8_t *bytes, size_t count) {
    size_t jump = count < passes->skipped ? count : passes->skipped;
    passes->skipped -= jump;
    bytes += jump;
    count -= jump;
    size_t left = passes->source.bytes_in_buffer;
    if (left) memmove(passes->bytes, passes->source.next_input_byte, left);
    if (left + count > passes->capacity) {
        size_t capacity = left + count + 65536;
        uint8_t *larger = realloc(passes->bytes, capacity);
        if (!larger) return 0;
        passes->bytes = larger;
        passes->capacity = capacity;
    }
    if (count) memcpy(passes->bytes + left, bytes, count);
    passes->source.next_input_byte = passes->bytes;
    passes->source.bytes_in_buffer = left + count;
    return 1;
}

static void check(cjpeg_passes *passes) {
    j_common_ptr info = (j_common_ptr)&passes->info;
    if (passes->info.input_scan_number > (int)passes->output.max_scans) {
        cjpeg_escape(info, CJPEG_DAMAGED, "it has too many scans");
    }
    if (passes->output.should_stop(passes->output.context)) cjpeg_escape(info, CJPEG_STOPPED, "stopped");
}

cjpeg_status cjpeg_passes_feed(cjpeg_passes *passes, const uint8_t *bytes, size_t count) {
    j_decompress_ptr info = &passes->info;
    if (setjmp(passes->errors.escape)) return passes->errors.status;
    if (!take(passes, bytes, count)) cjpeg_escape((j_common_ptr)info, CJPEG_OUT_OF_MEMORY, "out of memory");
    if (!passes->has_header) {
        if (jpeg_read_header(info, TRUE) == JPEG_SUSPENDED) return CJPEG_DONE;
        cjpeg_set_output(info, &passes->output);
        info->buffered_image = TRUE;
        jpeg_start_decompress(info);
        passes->has_header = 1;
    }
    while (!passes->is_complete) {
        int status = jpeg_consume_input(info);
        if (status == JPEG_SUSPENDED) return CJPEG_DONE;
        if (status == JPEG_REACHED_EOI) passes->is_complete = 1;
        check(passes);
    }
    return CJPEG_DONE;
}

uint32_t cjpeg_passes_whole_scans(const cjpeg_passes *passes) {
    if (!passes->has_header) return 0;
    int scans = passes->info.input_scan_number;
    return (uint32_t)(passes->is_complete ? scans : scans > 0 ? scans - 1 : 0);
}

int cjpeg_passes_is_complete(const cjpeg_passes *passes) {
    return passes->is_complete;
}

cjpeg_status cjpeg_passes_draw(cjpeg_passes *passes) {
    j_decompress_ptr info = &passes->info;
    const cjpeg_output *output = &passes->output;
    uint32_t scans = cjpeg_passes_whole_scans(passes);
    if (setjmp(passes->errors.escape)) return passes->errors.status;
    if (scans == 0) cjpeg_escape((j_common_ptr)info, CJPEG_DAMAGED, "it has no whole scan");
    // It cannot suspend: these scans are there.
    jpeg_start_output(info, (int)scans);
    cjpeg_check_output(info, output);
    if (!passes->row) passes->row = malloc((size_t)info->output_width * 4);
    if (!passes->row) cjpeg_escape((j_common_ptr)info, CJPEG_OUT_OF_MEMORY, "out of memory");
    while (info->output_scanline < info->output_height) {
        JSAMPROW rows[1] = {passes->row};
        if (jpeg_read_scanlines(info, rows, 1) != 1) {
            cjpeg_escape((j_common_ptr)info, CJPEG_DAMAGED, "a scan is not whole");
        }
        output->take_row(output->context, passes->row);
        if (info->output_scanline % 16 == 0) check(passes);
    }
    jpeg_finish_output(info);
    return CJPEG_DONE;
}
