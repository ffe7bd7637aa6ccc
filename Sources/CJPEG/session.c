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
    case JERR_BAD_PRECISION:
    case JERR_ARITH_NOTIMPL:
    case JERR_CONVERSION_NOTIMPL: status = CJPEG_UNSUPPORTED; break;
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
