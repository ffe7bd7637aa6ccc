#pragma once

// jpeglib.h needs FILE and size_t declared before it.
#include <stdio.h>

#include <jpeglib.h>
#include <jerror.h>
#include <setjmp.h>

#include "CJPEGCodec.h"

/// libjpeg's error manager with the place to return to. libjpeg calls `exit` unless an error is caught this way.
typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf escape;
    cjpeg_status status;
    char *message;
} cjpeg_errors;

/// Routes errors to `setjmp(errors->escape)` and warnings to `on_warning`; nothing is ever printed.
struct jpeg_error_mgr *cjpeg_errors_init(
    cjpeg_errors *errors, char *message, void (*on_warning)(j_common_ptr info, int level));

/// Leaves libjpeg with this status and text.
_Noreturn void cjpeg_escape(j_common_ptr info, cjpeg_status status, const char *text);

/// Whether a warning about the data means wrong pixels. Junk between segments, an unknown JFIF revision and the like
/// happen in sound photos from cameras and do no harm.
int cjpeg_spoils_pixels(int message_code);

/// Sets what comes out, after the header was read: four bytes a pixel, at a scale.
void cjpeg_set_output(j_decompress_ptr info, const cjpeg_output *output);

/// Makes sure that rows come out as they were asked for.
void cjpeg_check_output(j_decompress_ptr info, const cjpeg_output *output);
