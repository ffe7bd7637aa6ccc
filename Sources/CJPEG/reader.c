#include "CJPEGReader.h"

#include <stdlib.h>
#include <string.h>

#include "session.h"

enum { MOST_PROFILE_PARTS = 255 };

/// The parts of an ICC profile, where they lie in the file.
typedef struct {
    struct {
        const uint8_t *bytes;
        size_t size;
    } parts[MOST_PROFILE_PARTS];
    /// What each part says of their number; 0 before the first one.
    unsigned count;
    /// Two of them contradict each other.
    int is_broken;
} profile_parts;

struct cjpeg_reader {
    struct jpeg_decompress_struct info;
    cjpeg_errors errors;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    const uint8_t *data;
    size_t size;
    int is_partial, ran_out;
    const uint8_t *exif, *xmp;
    size_t exif_size, xmp_size;
    profile_parts parts;
    uint8_t *profile;
    const cjpeg_output *output;
    uint8_t *row;
    /// The components that a scan has brought, a bit for each.
    uint32_t components_seen;
    int has_pixels, is_damaged;
    /// What was wrong first.
    char damage[CJPEG_MESSAGE_SIZE];
};

static const JOCTET end_of_image[2] = {0xFF, JPEG_EOI};

static void nothing(j_decompress_ptr info) {
    (void)info;
}

/// Past the end an end-of-image marker is handed out, as libjpeg advises. Whether the picture is complete without
/// the missing bytes shows later: a file that lacks only this marker is sound.
static boolean at_end(j_decompress_ptr info) {
    cjpeg_reader *reader = info->client_data;
    if (reader->is_partial) return FALSE;
    reader->ran_out = 1;
    reader->source.next_input_byte = end_of_image;
    reader->source.bytes_in_buffer = 2;
    return TRUE;
}

static void skip(j_decompress_ptr info, long count) {
    if (count <= 0) return;
    if ((size_t)count > info->src->bytes_in_buffer) {
        info->src->next_input_byte += info->src->bytes_in_buffer;
        info->src->bytes_in_buffer = 0;
        at_end(info);
        return;
    }
    info->src->next_input_byte += count;
    info->src->bytes_in_buffer -= (size_t)count;
}

static const char exif_name[] = "Exif\0", xmp_name[] = "http://ns.adobe.com/xap/1.0/", profile_name[] = "ICC_PROFILE";

static int begins_with(const JOCTET *segment, size_t length, const char *name, size_t size) {
    return length >= size && memcmp(segment, name, size) == 0;
}

/// Notes a part of a profile: behind its name, its number from 1 and how many there are.
static void note_profile(profile_parts *parts, const JOCTET *segment, size_t length) {
    size_t start = sizeof profile_name + 2;
    if (length < start) return;
    unsigned number = segment[start - 2], count = segment[start - 1];
    if (!parts->count) parts->count = count;
    if (number < 1 || number > count || count != parts->count || parts->parts[number - 1].bytes) {
        parts->is_broken = 1;
        return;
    }
    parts->parts[number - 1].bytes = segment + start;
    parts->parts[number - 1].size = length - start;
}

/// Notes where EXIF data, XMP and a profile lie. libjpeg's own way would copy all segments of these kinds, which can be megabytes of
/// others, and would go through all that it has kept for each further one.
static boolean note_metadata(j_decompress_ptr info) {
    cjpeg_reader *reader = info->client_data;
    const JOCTET *segment = info->src->next_input_byte;
    size_t left = info->src->bytes_in_buffer;
    size_t length = left < 2 ? 2 : (size_t)segment[0] << 8 | segment[1];
    if (left < 2 || left < length) return at_end(info);
    if (length < 2) cjpeg_escape((j_common_ptr)info, CJPEG_DAMAGED, "a segment has no length");
    info->src->next_input_byte += length;
    info->src->bytes_in_buffer -= length;
    segment += 2;
    length -= 2;
    if (info->unread_marker == JPEG_APP0 + 2) {
        if (begins_with(segment, length, profile_name, sizeof profile_name)) {
            note_profile(&reader->parts, segment, length);
        }
    } else if (!reader->exif && begins_with(segment, length, exif_name, sizeof exif_name)) {
        reader->exif = segment;
        reader->exif_size = length;
    } else if (!reader->xmp && begins_with(segment, length, xmp_name, sizeof xmp_name)) {
        reader->xmp = segment + sizeof xmp_name;
        reader->xmp_size = length - sizeof xmp_name;
    }
    return TRUE;
}

/// Puts the profile together.
/// - Returns: Its size; 0 if there is none, a part is missing, or there is no memory for it.
static size_t join_profile(cjpeg_reader *reader) {
    const profile_parts *parts = &reader->parts;
    size_t size = 0;
    if (parts->is_broken) return 0;
    for (unsigned i = 0; i < parts->count; i++) {
        if (!parts->parts[i].bytes) return 0;
        size += parts->parts[i].size;
    }
    reader->profile = size ? malloc(size) : NULL;
    if (!reader->profile) return 0;
    uint8_t *to = reader->profile;
    for (unsigned i = 0; i < parts->count; i++) {
        memcpy(to, parts->parts[i].bytes, parts->parts[i].size);
        to += parts->parts[i].size;
    }
    return size;
}

/// The pixels are spoilt: ends the work, or notes it where that is tolerated.
static void damaged(cjpeg_reader *reader, const char *text) {
    j_common_ptr info = (j_common_ptr)&reader->info;
    int was_damaged = reader->is_damaged;
    reader->is_damaged = 1;
    if (!reader->output || !reader->output->tolerates_damage) cjpeg_escape(info, CJPEG_DAMAGED, text);
    if (!was_damaged) snprintf(reader->damage, CJPEG_MESSAGE_SIZE, "%s", text);
}

/// Whether the bytes that libjpeg has just skipped are codes that it should have read: codes before them were broken then, and
/// what was read is something else. Cameras fill up their scans with a byte that is always the same.
static int skips_codes(const cjpeg_reader *reader) {
    if (!reader->output || reader->info.err->msg_code != JWRN_EXTRANEOUS_DATA) return 0;
    const JOCTET *end = reader->source.next_input_byte;
    if (end < reader->data || end > reader->data + reader->size) return 0;
    size_t count = (size_t)reader->info.err->msg_parm.i[0], there = (size_t)(end - reader->data);
    if (count > there) count = there;
    for (size_t i = 2; i <= count; i++) {
        if (end[-(ptrdiff_t)i] != end[-1]) return 1;
    }
    return 0;
}

/// Level -1 is a warning about the data.
static void on_warning(j_common_ptr info, int level) {
    cjpeg_reader *reader = info->client_data;
    if (level >= 0 || !(cjpeg_spoils_pixels(info->err->msg_code) || skips_codes(reader))) return;
    char text[JMSG_LENGTH_MAX];
    if (reader->ran_out) return damaged(reader, "the file is cut off");
    info->err->format_message(info, text);
    damaged(reader, text);
}

/// Called by libjpeg for each row of pixels, and while it reads the scans of a progressive file, for each row of blocks.
static void on_progress(j_common_ptr info) {
    cjpeg_reader *reader = info->client_data;
    const cjpeg_output *output = reader->output;
    for (int c = 0; c < reader->info.comps_in_scan; c++) {
        reader->components_seen |= 1u << reader->info.cur_comp_info[c]->component_index;
    }
    if (((j_decompress_ptr)info)->input_scan_number > (int)output->max_scans) {
        cjpeg_escape(info, CJPEG_DAMAGED, "it has too many scans");
    }
    // To ask takes as long as a small part of a row does.
    JDIMENSION row = ((j_decompress_ptr)info)->output_scanline;
    if (row % 8 && row < ((j_decompress_ptr)info)->output_height) return;
    if (output->should_stop(output->context)) cjpeg_escape(info, CJPEG_STOPPED, "stopped");
}

cjpeg_reader *cjpeg_reader_create(
    const uint8_t *data, size_t size, uint64_t max_memory, char message[CJPEG_MESSAGE_SIZE]) {
    cjpeg_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    j_decompress_ptr info = &reader->info;
    info->err = cjpeg_errors_init(&reader->errors, message, on_warning);
    if (setjmp(reader->errors.escape)) {
        cjpeg_reader_destroy(reader);
        return NULL;
    }
    jpeg_create_decompress(info);
    info->client_data = reader;
    // A second guard behind the caller's estimate: without a file to swap to, libjpeg fails beyond this.
    info->mem->max_memory_to_use = max_memory > (uint64_t)INT64_MAX ? INT64_MAX : (long)max_memory;
    reader->data = data;
    reader->size = size;
    reader->source = (struct jpeg_source_mgr){
        .next_input_byte = data, .bytes_in_buffer = size, .init_source = nothing, .fill_input_buffer = at_end,
        .skip_input_data = skip, .resync_to_restart = jpeg_resync_to_restart, .term_source = nothing};
    info->src = &reader->source;
    jpeg_set_marker_processor(info, JPEG_APP0 + 1, note_metadata);
    jpeg_set_marker_processor(info, JPEG_APP0 + 2, note_metadata);
    return reader;
}

cjpeg_status cjpeg_reader_header(cjpeg_reader *reader, int is_partial, cjpeg_header *header) {
    j_decompress_ptr info = &reader->info;
    if (setjmp(reader->errors.escape)) return reader->errors.status;
    reader->is_partial = is_partial;
    if (jpeg_read_header(info, TRUE) == JPEG_SUSPENDED) return CJPEG_NEEDS_MORE;
    size_t profile_size = join_profile(reader);
    *header = (cjpeg_header){
        .width = info->image_width, .height = info->image_height, .components = (uint32_t)info->num_components,
        .is_progressive = info->progressive_mode, .has_multiple_scans = jpeg_has_multiple_scans(info),
        .has_adobe_marker = info->saw_Adobe_marker, .exif = reader->exif, .exif_size = reader->exif_size,
        .xmp = reader->xmp, .xmp_size = reader->xmp_size,
        .profile = reader->profile, .profile_size = profile_size};
    if (!reader->ran_out) header->scan_offset = reader->size - reader->source.bytes_in_buffer;
    for (int c = 0; c < info->num_components; c++) {
        const jpeg_component_info *component = &info->comp_info[c];
        header->block_samples += (uint64_t)component->width_in_blocks * component->height_in_blocks * DCTSIZE2;
    }
    return CJPEG_DONE;
}

/// Whether every coefficient of a file in several scans has arrived in full precision.
static int has_all_scans(const cjpeg_reader *reader) {
    const struct jpeg_decompress_struct *info = &reader->info;
    for (int c = 0; c < info->num_components; c++) {
        if (!(reader->components_seen & 1u << c)) return 0;
    }
    if (!info->progressive_mode) return 1;
    if (!info->coef_bits) return 0;
    for (int c = 0; c < info->num_components; c++) {
        for (int k = 0; k < DCTSIZE2; k++) {
            if (info->coef_bits[c][k] != 0) return 0;
        }
    }
    return 1;
}

cjpeg_status cjpeg_reader_decode(cjpeg_reader *reader, const cjpeg_output *output) {
    j_decompress_ptr info = &reader->info;
    if (setjmp(reader->errors.escape)) {
        // What is wrong behind the pixels does them no harm.
        int is_done = reader->has_pixels && (!reader->is_damaged || output->tolerates_damage);
        return is_done ? CJPEG_DONE : reader->errors.status;
    }
    reader->output = output;
    reader->progress.progress_monitor = on_progress;
    info->progress = &reader->progress;
    cjpeg_set_output(info, output);
    jpeg_start_decompress(info);
    if (jpeg_has_multiple_scans(info) && !has_all_scans(reader)) {
        damaged(reader, reader->ran_out ? "the file is cut off" : "some of its scans are missing");
    }
    cjpeg_check_output(info, output);
    reader->row = malloc((size_t)info->output_width * 4);
    if (!reader->row) cjpeg_escape((j_common_ptr)info, CJPEG_OUT_OF_MEMORY, "out of memory");
    while (info->output_scanline < info->output_height) {
        JSAMPROW rows[1] = {reader->row};
        jpeg_read_scanlines(info, rows, 1);
        output->take_row(output->context, reader->row);
    }
    // Where codes are missing, arithmetic decoding takes them for zeros, and says nothing.
    if (info->arith_code && reader->ran_out) damaged(reader, "the file is cut off");
    reader->has_pixels = 1;
    // Goes on to the end of the picture: codes that are left over tell that others were broken.
    jpeg_finish_decompress(info);
    return CJPEG_DONE;
}

const char *cjpeg_reader_damage(const cjpeg_reader *reader) {
    return reader->is_damaged ? reader->damage : NULL;
}

void cjpeg_reader_destroy(cjpeg_reader *reader) {
    if (!reader) return;
    jpeg_destroy_decompress(&reader->info);
    free(reader->profile);
    free(reader->row);
    free(reader);
}
