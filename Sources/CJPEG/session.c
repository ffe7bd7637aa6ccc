#include "session.h"

#include <string.h>

_Noreturn void cjpeg_escape(j_common_ptr info, cjpeg_status status, const char *text) {
    cjpeg_errors *errors = (cjpeg_errors *)info->err;
    errors->status = status;
    snprintf(errors->message, CJPEG_MESSAGE_SIZE, "%s", text);
    longjmp(errors->escape, 1);
}

static void on_error(j_common_ptr info) {
    cjpeg_status status = CJPEG_DAMAGED;
    switch (info->err->msg_code) {
    case JERR_NO_BACKING_STORE:
    case JERR_OUT_OF_MEMORY: status = CJPEG_OUT_OF_MEMORY; break;
    case JERR_SOF_UNSUPPORTED:
    case JERR_IMAGE_TOO_BIG:
    case JERR_BAD_PRECISION:
    case JERR_ARITH_NOTIMPL:
    case JERR_CONVERSION_NOTIMPL: status = CJPEG_UNSUPPORTED; break;
    // JPEG-LS has this one in place of a frame.
    case JERR_UNKNOWN_MARKER: status = info->err->msg_parm.i[0] == 0xF7 ? CJPEG_UNSUPPORTED : CJPEG_DAMAGED; break;
    default: break;
    }
    char text[JMSG_LENGTH_MAX];
    info->err->format_message(info, text);
    cjpeg_escape(info, status, text);
}

static void no_output(j_common_ptr info) {
    (void)info;
}

struct jpeg_error_mgr *cjpeg_errors_init(
    cjpeg_errors *errors, char *message, void (*on_warning)(j_common_ptr info, int level)) {
    memset(errors, 0, sizeof *errors);
    errors->message = message;
    message[0] = 0;
    jpeg_std_error(&errors->base);
    errors->base.error_exit = on_error;
    errors->base.output_message = no_output;
    errors->base.emit_message = on_warning;
    return &errors->base;
}

int cjpeg_spoils_pixels(int message_code) {
    switch (message_code) {
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_ARITH_BAD_CODE:
    case JWRN_BOGUS_PROGRESSION:
    case JWRN_MUST_RESYNC: return 1;
    default: return 0;
    }
}

uint32_t cjpeg_scaled(uint32_t side, uint32_t eighths) {
    return (uint32_t)(((uint64_t)side * eighths + 7) / 8);
}

void cjpeg_set_output(j_decompress_ptr info, const cjpeg_output *output) {
    info->scale_num = output->eighths;
    info->scale_denom = 8;
    info->out_color_space = output->keeps_inks ? JCS_CMYK : JCS_EXT_RGBA;
    // Smooth upsampling of chroma is lost in a reduction by half again or more, and costs time.
    uint64_t scaled = cjpeg_scaled(info->image_width, output->eighths);
    info->do_fancy_upsampling = scaled * 2 < (uint64_t)output->final_width * 3;
}

void cjpeg_check_output(j_decompress_ptr info, const cjpeg_output *output) {
    if (info->output_components != 4) {
        cjpeg_escape((j_common_ptr)info, CJPEG_UNSUPPORTED, "its colours are of an unknown kind");
    }
    // Whoever takes the rows counts on it.
    if (info->output_width != cjpeg_scaled(info->image_width, output->eighths)
        || info->output_height != cjpeg_scaled(info->image_height, output->eighths)) {
        cjpeg_escape((j_common_ptr)info, CJPEG_DAMAGED, "its size changes");
    }
}
