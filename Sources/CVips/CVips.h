#pragma once

// GLib belongs to one module, so that Swift finds its types there whichever of the two is imported.
#include "../CGLib/CGLib.h"
#define VIPS_DISABLE_DEPRECATION_WARNINGS
#include <vips/vips.h>

// libvips' operations are variadic, which Swift cannot call; each helper here is one such call with the options that
// this package wants. Objects that come back through `out` belong to the caller, who ends them with cvips_release.

static inline void cvips_ignore_log(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {
    (void)domain;
    (void)level;
    (void)message;
    (void)data;
}

/// Starts libvips for use from many threads that each decode a picture; 0 on success.
///
/// No operation cache, no threads inside an operation, and only these loaders: SVG and JPEG XL count as untrusted in
/// libvips and are wanted; the matrix loader counts as trusted and takes any text with numbers for a picture. JPEG is
/// not among them because CJPEG decodes it. Warnings about hostile files must not reach the terminal.
static inline int cvips_start(void) {
    g_log_set_handler(
        "VIPS", G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING | G_LOG_LEVEL_MESSAGE | G_LOG_LEVEL_INFO | G_LOG_LEVEL_DEBUG,
        cvips_ignore_log, NULL);
    if (VIPS_INIT("classicphotos")) return -1;
    vips_leak_set(FALSE);
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    vips_block_untrusted_set(TRUE);
    vips_operation_block_set("VipsForeignLoad", TRUE);
    static const char *const wanted[] = {
        "VipsForeignLoadPng", "VipsForeignLoadWebp", "VipsForeignLoadNsgif", "VipsForeignLoadTiff",
        "VipsForeignLoadHeif", "VipsForeignLoadJxl", "VipsForeignLoadSvg",
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) vips_operation_block_set(wanted[i], FALSE);
    return 0;
}

/// Keeps libvips from making machine code while it runs, for processes that may not.
static inline void cvips_run_no_generated_code(void) {
    vips_vector_set_enabled(FALSE);
}

/// Has GLib say nothing, for processes that nobody hears: where it gets no memory it ends the process with a message, and to write
/// that would change what `errno` says about the reason.
static inline void cvips_say_nothing(void) {
    g_log_set_default_handler(cvips_ignore_log, NULL);
}

static inline void cvips_release(void *object) {
    if (object) g_object_unref(object);
}

typedef enum { CVIPS_PNG, CVIPS_WEBP, CVIPS_GIF, CVIPS_TIFF, CVIPS_HEIF, CVIPS_JXL, CVIPS_SVG } cvips_loader;

/// Opens the first picture in memory that must outlive `out`; `scale` counts for WebP and SVG.
///
/// `truncated` makes a file that is cut off an error. The stricter `error` must not be asked of PNG: libvips 8.14
/// then skips the checksums instead of checking them. libvips' option `memory` unpacks everything at once. Only
/// WebP has it, whose decoder does so anyway: without it libvips would write large pictures to temporary files. The
/// others give their rows from top to bottom.
///
/// `pages` is for GIF: -1 is all frames, one below the other.
static inline int cvips_load(
    cvips_loader loader, const void *data, size_t size, double scale, int pages, VipsImage **out) {
    void *bytes = (void *)data;
    int access = VIPS_ACCESS_SEQUENTIAL, strict = VIPS_FAIL_ON_ERROR;
    *out = NULL;
    switch (loader) {
    case CVIPS_PNG:
        return vips_pngload_buffer(
            bytes, size, out, "access", access, "fail_on", VIPS_FAIL_ON_TRUNCATED, NULL);
    case CVIPS_WEBP:
        return vips_webpload_buffer(
            bytes, size, out, "access", access, "fail_on", strict, "memory", TRUE, "scale", scale, NULL);
    case CVIPS_GIF:
        return vips_gifload_buffer(
            bytes, size, out, "access", access, "fail_on", strict, "n", pages, NULL);
    case CVIPS_TIFF:
        return vips_tiffload_buffer(bytes, size, out, "access", access, "fail_on", strict, NULL);
    case CVIPS_HEIF:
        return vips_heifload_buffer(bytes, size, out, "access", access, "fail_on", strict, NULL);
    case CVIPS_JXL:
        return vips_jxlload_buffer(bytes, size, out, "access", access, "fail_on", strict, NULL);
    case CVIPS_SVG:
        return vips_svgload_buffer(
            bytes, size, out, "access", access, "fail_on", strict, "scale", scale, NULL);
    }
    return -1;
}

/// How long a frame is shown, in milliseconds; 0 if the file does not say.
static inline int cvips_frame_delay(VipsImage *image, int frame) {
    int *delays = NULL, count = 0;
    if (!vips_image_get_typeof(image, "delay")) return 0;
    if (vips_image_get_array_int(image, "delay", &delays, &count)) return 0;
    return frame >= 0 && frame < count && delays[frame] > 0 ? delays[frame] : 0;
}

/// The embedded ICC profile, NULL if there is none; it belongs to the picture.
static inline const void *cvips_profile(VipsImage *image, size_t *size) {
    const void *data = NULL;
    *size = 0;
    if (!vips_image_get_typeof(image, VIPS_META_ICC_NAME)) return NULL;
    if (vips_image_get_blob(image, VIPS_META_ICC_NAME, &data, size)) return NULL;
    return data;
}

static inline void cvips_set_profile(VipsImage *image, const void *data, size_t size) {
    vips_image_set_blob_copy(image, VIPS_META_ICC_NAME, data, size);
}

/// A picture over memory of the caller's, which must outlive it.
static inline VipsImage *cvips_wrap(
    const void *pixels, size_t size, int width, int height, int bands, VipsInterpretation interpretation) {
    VipsImage *image = vips_image_new_from_memory(pixels, size, width, height, bands, VIPS_FORMAT_UCHAR);
    if (image) image->Type = interpretation;
    return image;
}

static inline int cvips_first_bands(VipsImage *in, VipsImage **out, int count) {
    *out = NULL;
    return vips_extract_band(in, out, 0, "n", count, NULL);
}

static inline int cvips_cut(VipsImage *in, VipsImage **out, int left, int top, int width, int height) {
    *out = NULL;
    return vips_extract_area(in, out, left, top, width, height, NULL);
}

/// A larger picture, with nothing at the right and below.
static inline int cvips_enlarge(VipsImage *in, VipsImage **out, int width, int height) {
    *out = NULL;
    return vips_embed(in, out, 0, 0, width, height, NULL);
}

/// The part of a size where people look first. Its place is `-Xoffset`, `-Yoffset`.
static inline int cvips_cut_by_attention(VipsImage *in, VipsImage **out, int width, int height) {
    *out = NULL;
    return vips_smartcrop(in, out, width, height, "interesting", VIPS_INTERESTING_ATTENTION, NULL);
}

/// The bands that colours have; what is behind them is alpha, and what nobody knows.
static inline int cvips_colour_bands(VipsImage *in) {
    switch (in->Type) {
    case VIPS_INTERPRETATION_CMYK: return VIPS_MIN(in->Bands, 4);
    case VIPS_INTERPRETATION_B_W:
    case VIPS_INTERPRETATION_GREY16: return 1;
    default: return VIPS_MIN(in->Bands, 3);
    }
}

/// The colours with at most so many of the bands behind them.
static inline int cvips_bands_with_extras(VipsImage *in, VipsImage **out, int most) {
    *out = NULL;
    int count = VIPS_MIN(in->Bands, cvips_colour_bands(in) + most);
    return in->Coding == VIPS_CODING_NONE ? cvips_first_bands(in, out, count) : vips_copy(in, out, NULL);
}

/// Stretches colours, or alpha, from 16 to 235 of 8 bits to all of them, and alike for 16 bits.
static inline int cvips_stretch(VipsImage *in, VipsImage **out, int colours, int alpha) {
    int count = cvips_colour_bands(in), bands = in->Bands;
    double a[8], b[8], black = in->BandFmt == VIPS_FORMAT_USHORT ? 16 * 256 : 16;
    *out = NULL;
    if (bands > 8 || (in->BandFmt != VIPS_FORMAT_USHORT && in->BandFmt != VIPS_FORMAT_UCHAR)) return -1;
    for (int band = 0; band < bands; band++) {
        int is_short = band < count ? colours : alpha;
        double gain = in->BandFmt == VIPS_FORMAT_USHORT ? 65535.0 / (219 * 256) : 255.0 / 219;
        a[band] = is_short ? gain : 1;
        // A half, because the cast cuts off.
        b[band] = (is_short ? -black * gain : 0) + 0.5;
    }
    VipsImage *wide = NULL;
    int status = vips_linear(in, &wide, a, b, bands, NULL);
    if (!status) status = vips_cast(wide, out, in->BandFmt, NULL);
    if (wide) g_object_unref(wide);
    return status;
}

/// Divides colours by the alpha that they are multiplied by.
static inline int cvips_unpremultiply(VipsImage *in, VipsImage **out) {
    *out = NULL;
    if (in->Bands != cvips_colour_bands(in) + 1 || in->Coding != VIPS_CODING_NONE) return vips_copy(in, out, NULL);
    double most = in->BandFmt == VIPS_FORMAT_USHORT ? 65535 : in->BandFmt == VIPS_FORMAT_UCHAR ? 255 : 1;
    VipsImage *divided = NULL, *shifted = NULL;
    int status = vips_unpremultiply(in, &divided, "max_alpha", most, NULL);
    if (!status && most > 1) {
        status = vips_linear1(divided, &shifted, 1, 0.5, NULL);
        if (!status) status = vips_cast(shifted, out, in->BandFmt, NULL);
    } else if (!status) {
        status = vips_cast(divided, out, in->BandFmt, NULL);
    }
    if (divided) g_object_unref(divided);
    if (shifted) g_object_unref(shifted);
    return status;
}

/// Samples of 8 or 16 bits, of fractions from 0 to 1 too.
static inline int cvips_to_samples(VipsImage *in, VipsImage **out) {
    *out = NULL;
    if (in->BandFmt == VIPS_FORMAT_UCHAR || in->BandFmt == VIPS_FORMAT_USHORT) return vips_copy(in, out, NULL);
    VipsImage *wide = NULL;
    int status = vips_linear1(in, &wide, 65535, 0.5, NULL);
    if (!status) status = vips_cast(wide, out, VIPS_FORMAT_USHORT, NULL);
    if (wide) g_object_unref(wide);
    return status;
}

/// Fractions from 0 to 1 as whole numbers of 16 bits, of which a profile says what they mean.
static inline int cvips_fractions_to_shorts(VipsImage *in, VipsImage **out) {
    VipsImage *deep = NULL;
    *out = NULL;
    int status = cvips_to_samples(in, &deep);
    if (!status)
        status = vips_copy(
            deep, out, "interpretation",
            cvips_colour_bands(in) == 1 ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_RGB16, NULL);
    if (deep) g_object_unref(deep);
    return status;
}

/// Lab as sRGB, from D50, which it is meant for in files. libvips takes it for that of D65.
static inline int cvips_lab_to_srgb(VipsImage *in, VipsImage **out) {
    VipsImage *lab = NULL;
    *out = NULL;
    int status = vips_colourspace(in, &lab, VIPS_INTERPRETATION_LAB, NULL);
    if (!status)
        status = vips_icc_export(
            lab, out, "output_profile", "srgb", "intent", VIPS_INTENT_RELATIVE, "depth", 8, NULL);
    if (lab) g_object_unref(lab);
    return status;
}

/// What libvips reads and does not convert rightly, as what it does: Lab as sRGB, whole numbers of 32 bits as 16, and
/// grey fractions as the linear light from 0 to 1 that it takes fractions of colours for.
static inline int cvips_to_convertible(VipsImage *in, VipsImage **out) {
    *out = NULL;
    if (in->Coding == VIPS_CODING_LABQ || in->Type == VIPS_INTERPRETATION_LAB || in->Type == VIPS_INTERPRETATION_LABS)
        return cvips_lab_to_srgb(in, out);
    int is_grey = cvips_colour_bands(in) == 1;
    if (in->BandFmt == VIPS_FORMAT_UINT) {
        VipsImage *narrow = NULL, *deep = NULL;
        int status = vips_linear1(in, &narrow, 1 / 65537.0, 0.5, NULL);
        if (!status) status = vips_cast(narrow, &deep, VIPS_FORMAT_USHORT, NULL);
        if (!status)
            status = vips_copy(
                deep, out, "interpretation", is_grey ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_RGB16, NULL);
        if (narrow) g_object_unref(narrow);
        if (deep) g_object_unref(deep);
        return status;
    }
    if (in->BandFmt == VIPS_FORMAT_FLOAT && is_grey) {
        VipsImage *bands[2] = {NULL, NULL}, *joined = NULL;
        int status = vips_extract_band(in, &bands[0], 0, NULL);
        if (!status && in->Bands > 1) status = vips_extract_band(in, &bands[1], 1, "n", in->Bands - 1, NULL);
        VipsImage *parts[4] = {bands[0], bands[0], bands[0], bands[1]};
        if (!status) status = vips_bandjoin(parts, &joined, in->Bands > 1 ? 4 : 3, NULL);
        if (!status) status = vips_copy(joined, out, "interpretation", VIPS_INTERPRETATION_scRGB, NULL);
        if (joined) g_object_unref(joined);
        for (int i = 0; i < 2; i++)
            if (bands[i]) g_object_unref(bands[i]);
        return status;
    }
    return vips_copy(in, out, NULL);
}

/// The band behind the colours, as bytes.
static inline int cvips_alpha_to_bytes(VipsImage *in, VipsImage **out) {
    VipsImage *alpha = NULL;
    *out = NULL;
    if (vips_extract_band(in, &alpha, cvips_colour_bands(in), NULL)) return -1;
    double opaque = in->BandFmt == VIPS_FORMAT_USHORT ? 65535 : in->Type == VIPS_INTERPRETATION_scRGB ? 1 : 255;
    int status = in->BandFmt == VIPS_FORMAT_UCHAR
        ? vips_copy(alpha, out, NULL)
        : vips_linear1(alpha, out, 255 / opaque, 0.5, "uchar", TRUE, NULL);
    g_object_unref(alpha);
    return status;
}

/// Converts the colours and joins alpha to them again: libvips' own conversions cut its values off at 255, or take what
/// goes from 0 to 1 for bytes. With more than one band behind the colours it is not known which of them is alpha; then
/// all are dropped.
static inline int cvips_convert_colours(
    VipsImage *in, VipsImage **out, VipsIntent intent,
    int (*convert)(VipsImage *in, VipsImage **out, VipsIntent intent)) {
    int count = cvips_colour_bands(in);
    *out = NULL;
    if (in->Bands == count) return convert(in, out, intent);
    VipsImage *colours = NULL, *srgb = NULL, *alpha = NULL;
    int status = cvips_first_bands(in, &colours, count);
    if (!status) status = convert(colours, &srgb, intent);
    if (!status && in->Bands > count + 1) {
        *out = srgb;
        srgb = NULL;
    } else if (!status) {
        status = cvips_alpha_to_bytes(in, &alpha);
        if (!status) status = vips_bandjoin2(srgb, alpha, out, NULL);
    }
    if (colours) g_object_unref(colours);
    if (srgb) g_object_unref(srgb);
    if (alpha) g_object_unref(alpha);
    return status;
}

static inline int cvips_colours_by_profile(VipsImage *in, VipsImage **out, VipsIntent intent) {
    *out = NULL;
    if (in->Type == VIPS_INTERPRETATION_CMYK)
        return vips_icc_transform(
            in, out, "srgb", "embedded", TRUE, "input_profile", "cmyk", "intent", intent, "depth", 8,
            NULL);
    return vips_icc_transform(
        in, out, "srgb", "embedded", TRUE, "intent", intent, "depth", 8, NULL);
}

static inline int cvips_colours_by_interpretation(VipsImage *in, VipsImage **out, VipsIntent intent) {
    (void)intent;
    *out = NULL;
    return vips_colourspace(in, out, VIPS_INTERPRETATION_sRGB, NULL);
}

/// To 8-bit sRGB by the embedded profile, or by libvips' own for CMYK where none is embedded.
static inline int cvips_profile_to_srgb(VipsImage *in, VipsImage **out, VipsIntent intent) {
    return cvips_convert_colours(in, out, intent, cvips_colours_by_profile);
}

/// To 8-bit sRGB by what kind of numbers the pixels are.
static inline int cvips_to_srgb(VipsImage *in, VipsImage **out) {
    return cvips_convert_colours(in, out, VIPS_INTENT_RELATIVE, cvips_colours_by_interpretation);
}

/// Inks of 8 or 16 bits as bytes, with alpha behind them. With more than one band behind the inks all of those are dropped.
static inline int cvips_inks_to_bytes(VipsImage *in, VipsImage **out) {
    VipsImage *inks = NULL;
    *out = NULL;
    if (cvips_first_bands(in, &inks, in->Bands == 5 ? 5 : 4)) return -1;
    int status = vips_cast(inks, out, VIPS_FORMAT_UCHAR, "shift", TRUE, NULL);
    g_object_unref(inks);
    return status;
}

static inline int cvips_to_bytes(VipsImage *in, VipsImage **out) {
    *out = NULL;
    return vips_cast(in, out, VIPS_FORMAT_UCHAR, NULL);
}

/// One row's address after the region was prepared.
static inline const void *cvips_region_row(VipsRegion *region, int y) {
    return VIPS_REGION_ADDR(region, region->valid.left, y);
}

/// The largest width or height that libvips handles.
static inline int cvips_largest_side(void) {
    return VIPS_MAX_COORD;
}

static inline int cvips_save_png(VipsImage *image, void **out, size_t *size) {
    return vips_pngsave_buffer(image, out, size, "strip", TRUE, "compression", 6, NULL);
}

static inline int cvips_save_webp(VipsImage *image, int quality, int lossless, void **out, size_t *size) {
    return vips_webpsave_buffer(
        image, out, size, "strip", TRUE, "Q", quality, "lossless", lossless, "effort", 4, NULL);
}

/// `effort` is 0 to 9; `subsamples` is non-zero for colours at half the width and height.
static inline int cvips_save_avif(
    VipsImage *image, int quality, int effort, int subsamples, void **out, size_t *size) {
    return vips_heifsave_buffer(
        image, out, size, "strip", TRUE, "Q", quality, "compression", VIPS_FOREIGN_HEIF_COMPRESSION_AV1, "effort",
        effort, "subsample_mode", subsamples ? VIPS_FOREIGN_SUBSAMPLE_ON : VIPS_FOREIGN_SUBSAMPLE_OFF, NULL);
}
