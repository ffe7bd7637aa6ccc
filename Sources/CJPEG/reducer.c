#include "CJPEGReducer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// One pixel, a channel in each lane: every x86-64 and arm64 has vectors of this width.
typedef float pixel __attribute__((vector_size(16)));
typedef uint8_t bytes4 __attribute__((vector_size(4)));
typedef int32_t ints4 __attribute__((vector_size(16)));

enum { LOBES = 3 };

/// The filter along one direction: for each result where its inputs begin, and their weights.
typedef struct {
    uint32_t *first;
    uint32_t *count;
    float *weights;
    uint32_t stride;
} filter;

struct cjpeg_reducer {
    uint32_t in_width, in_height, out_width, out_height;
    int weighs_alpha;
    cjpeg_canvas canvas;
    filter across, down;
    pixel *input;
    pixel *ring;
    uint32_t ring_rows;
    uint8_t *finished;
    uint32_t pushed, written;
};

static double sinc(double x) {
    return fabs(x) < 1e-9 ? 1 : sin(M_PI * x) / (M_PI * x);
}

/// Lanczos' window: sinc(x) sinc(x / 3) for |x| < 3.
static double lanczos(double x) {
    return fabs(x) >= LOBES ? 0 : sinc(x) * sinc(x / LOBES);
}

static uint32_t most_taps(uint32_t in, uint32_t out) {
    double taps = ceil(2.0 * LOBES * (double)in / (double)out) + 1;
    return taps > in ? in : (uint32_t)taps;
}

static void filter_free(filter *f) {
    free(f->first);
    free(f->count);
    free(f->weights);
}

static int filter_make(filter *f, uint32_t in, uint32_t out) {
    f->stride = most_taps(in, out);
    f->first = calloc(out, sizeof(uint32_t));
    f->count = calloc(out, sizeof(uint32_t));
    f->weights = calloc((size_t)out * f->stride, sizeof(float));
    if (!f->first || !f->count || !f->weights) return -1;
    double ratio = (double)in / (double)out;
    for (uint32_t i = 0; i < out; i++) {
        double center = (i + 0.5) * ratio - 0.5;
        double low = ceil(center - LOBES * ratio), high = floor(center + LOBES * ratio);
        uint32_t first = low < 0 ? 0 : (uint32_t)low;
        uint32_t last = high > in - 1.0 ? in - 1 : (uint32_t)high;
        if (last - first >= f->stride) last = first + f->stride - 1;
        float *weights = f->weights + (size_t)i * f->stride;
        double sum = 0;
        for (uint32_t k = first; k <= last; k++) sum += lanczos((k - center) / ratio);
        for (uint32_t k = first; k <= last; k++) weights[k - first] = (float)(lanczos((k - center) / ratio) / sum);
        f->first[i] = first;
        f->count[i] = last - first + 1;
    }
    return 0;
}

uint64_t cjpeg_reducer_memory(uint32_t in_width, uint32_t in_height, uint32_t out_width, uint32_t out_height) {
    if (in_width == out_width && in_height == out_height) return (uint64_t)in_width * 4;
    uint64_t taps_across = most_taps(in_width, out_width), taps_down = most_taps(in_height, out_height);
    return (uint64_t)in_width * sizeof(pixel) + taps_down * out_width * sizeof(pixel)
        + taps_across * out_width * sizeof(float) + taps_down * out_height * sizeof(float)
        + 8 * ((uint64_t)out_width + out_height) + (uint64_t)out_width * 4;
}

cjpeg_reducer *cjpeg_reducer_create(
    uint32_t in_width, uint32_t in_height, uint32_t out_width, uint32_t out_height, int weighs_alpha,
    cjpeg_canvas canvas) {
    if (out_width == 0 || out_height == 0 || out_width > in_width || out_height > in_height) return NULL;
    cjpeg_reducer *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->in_width = in_width;
    r->in_height = in_height;
    r->out_width = out_width;
    r->out_height = out_height;
    r->weighs_alpha = weighs_alpha;
    r->canvas = canvas;
    r->finished = malloc((size_t)out_width * 4);
    int failed = !r->finished;
    if (!failed && (in_width != out_width || in_height != out_height)) {
        failed = filter_make(&r->across, in_width, out_width) || filter_make(&r->down, in_height, out_height);
        r->ring_rows = most_taps(in_height, out_height);
        r->input = aligned_alloc(sizeof(pixel), (size_t)in_width * sizeof(pixel));
        r->ring = aligned_alloc(sizeof(pixel), (size_t)r->ring_rows * out_width * sizeof(pixel));
        failed = failed || !r->input || !r->ring;
    }
    if (failed) {
        cjpeg_reducer_destroy(r);
        return NULL;
    }
    return r;
}

void cjpeg_reducer_destroy(cjpeg_reducer *r) {
    if (!r) return;
    filter_free(&r->across);
    filter_free(&r->down);
    free(r->input);
    free(r->ring);
    free(r->finished);
    free(r);
}

static inline bytes4 load(const uint8_t *row, uint32_t x, int channels) {
    bytes4 value;
    switch (channels) {
    case 1: return (bytes4){row[x], row[x], row[x], 255};
    case 2: return (bytes4){row[2 * x], row[2 * x], row[2 * x], row[2 * x + 1]};
    case 3: return (bytes4){row[3 * x], row[3 * x + 1], row[3 * x + 2], 255};
    default: memcpy(&value, row + 4 * (size_t)x, 4); return value;
    }
}

static void widen(const cjpeg_reducer *r, const uint8_t *row, int channels) {
    int weighs = r->weighs_alpha && (channels == 2 || channels == 4);
    for (uint32_t x = 0; x < r->in_width; x++) {
        pixel value = __builtin_convertvector(load(row, x, channels), pixel);
        if (weighs) {
            float alpha = value[3];
            value *= alpha * (1.0f / 255.0f);
            value[3] = alpha;
        }
        r->input[x] = value;
    }
}

static inline void store(uint8_t *to, pixel value, int weighs_alpha) {
    if (weighs_alpha) {
        float alpha = value[3];
        if (alpha > 0) value *= 255.0f / alpha;
        value[3] = alpha;
    }
    ints4 whole = __builtin_convertvector(value + 0.5f, ints4);
    for (int c = 0; c < 4; c++) to[c] = whole[c] < 0 ? 0 : whole[c] > 255 ? 255 : (uint8_t)whole[c];
}

static void write_ready_rows(cjpeg_reducer *r) {
    while (r->written < r->out_height) {
        uint32_t y = r->written, first = r->down.first[y], count = r->down.count[y];
        if (first + count > r->pushed) return;
        const float *weights = r->down.weights + (size_t)y * r->down.stride;
        for (uint32_t x = 0; x < r->out_width; x++) {
            pixel sum = {0, 0, 0, 0};
            uint32_t slot = first % r->ring_rows;
            for (uint32_t k = 0; k < count; k++) {
                sum += r->ring[(size_t)slot * r->out_width + x] * weights[k];
                if (++slot == r->ring_rows) slot = 0;
            }
            store(r->finished + 4 * (size_t)x, sum, r->weighs_alpha);
        }
        cjpeg_canvas_write_row(&r->canvas, r->finished, r->out_width, y);
        r->written++;
    }
}

void cjpeg_reducer_push(cjpeg_reducer *r, const uint8_t *row, int channels) {
    if (r->pushed >= r->in_height) return;
    if (!r->input) {
        // Nothing to reduce: only spread the channels.
        const uint8_t *pixels = row;
        if (channels != 4) {
            for (uint32_t x = 0; x < r->in_width; x++) {
                bytes4 value = load(row, x, channels);
                memcpy(r->finished + 4 * (size_t)x, &value, 4);
            }
            pixels = r->finished;
        }
        cjpeg_canvas_write_row(&r->canvas, pixels, r->out_width, r->pushed++);
        return;
    }
    widen(r, row, channels);
    pixel *to = r->ring + (size_t)(r->pushed % r->ring_rows) * r->out_width;
    for (uint32_t x = 0; x < r->out_width; x++) {
        const pixel *from = r->input + r->across.first[x];
        const float *weights = r->across.weights + (size_t)x * r->across.stride;
        pixel sum = {0, 0, 0, 0};
        for (uint32_t k = 0; k < r->across.count[x]; k++) sum += from[k] * weights[k];
        to[x] = sum;
    }
    r->pushed++;
    write_ready_rows(r);
}
