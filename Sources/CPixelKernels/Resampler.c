#include "CPixelKernels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// One pixel, a channel in each lane: every x86-64 and arm64 has vectors of this width.
typedef float pixel __attribute__((vector_size(16)));
typedef float pair __attribute__((vector_size(32), aligned(16), may_alias));
typedef uint8_t bytes4 __attribute__((vector_size(4)));
typedef int32_t ints4 __attribute__((vector_size(16)));

enum {
    LOBES = 3,
    /// Inputs that are summed at once; the number of weights is rounded up to it with zeros.
    GROUP = 4,
};

/// The filter along one direction: for each result where its inputs begin and end, and their weights.
typedef struct {
    uint32_t *first;
    uint32_t *end;
    float *weights;
    uint32_t stride;
} filter;

/// The inner loops, built for what every processor has and for AVX2 with FMA.
typedef struct {
    void (*widen)(pixel *to, const uint8_t *row, uint32_t width);
    void (*across)(pixel *to, const pixel *from, const filter *filter, uint32_t width);
    void (*down)(pixel *to, const pixel *const *rows, const float *weights, uint32_t taps, uint32_t width);
    void (*round)(uint8_t *to, const pixel *from, uint32_t width);
} kernels;

struct cpk_resampler {
    uint32_t in_width, in_height, out_width, out_height;
    /// Of a picture that is only cut, the first column and row that stay.
    uint32_t left, top;
    int weighs_alpha;
    cpk_canvas canvas;
    filter across, down;
    kernels kernels;
    /// Whether rows are summed as they came, and each sum is then filtered across: of a picture that becomes less high, fewer are.
    int sums_first;
    /// One row as it came, then the sums of a finished one, and these filtered across.
    pixel *input, *sums, *result;
    const pixel **rows;
    pixel *ring;
    uint32_t ring_rows, ring_width;
    uint8_t *finished;
    uint32_t pushed, written;
};

/// Lanczos' window: sinc(x) sinc(x / 3) for |x| < 3, where sinc(x) is sin(pi x) / (pi x). Takes t = pi x / 3 and sin(t).
static double lanczos(double t, double sine) {
    if (fabs(t) < 1e-9) return 1;
    if (fabs(t) >= M_PI) return 0;
    // sin(3 t) = 3 sin(t) - 4 sin(t)^3: one sine for both factors.
    double square = sine * sine;
    return square * (3 - 4 * square) / (LOBES * t * t);
}

/// Inputs for each result.
static double input_ratio(const cpk_span *span) {
    return span->extent / span->whole;
}

/// How much wider than one input a lobe is: with more results than inputs it is as wide as one, and interpolates.
static double lobe_width(const cpk_span *span) {
    return fmax(1, input_ratio(span));
}

/// As many inputs as lie within the window; one on either edge has no weight.
static uint32_t most_taps(uint32_t in, const cpk_span *span) {
    double taps = ceil(2.0 * LOBES * lobe_width(span));
    return taps > in ? in : (uint32_t)taps;
}

static int is_covered(uint32_t in, const cpk_span *span) {
    return span->extent > in - 1.0 && span->extent <= in;
}

/// Whether the results are inputs as they are. Where the picture ends within the last one, nothing is further than half an input from
/// where it belongs.
static int is_cut(uint32_t in, const cpk_span *span) {
    return span->whole == in && span->extent >= in - 0.5 && span->first == floor(span->first)
        && span->first + span->count <= in;
}

static uint32_t rounded(uint32_t taps) {
    return (taps + GROUP - 1) / GROUP * GROUP;
}

static void filter_free(filter *f) {
    free(f->first);
    free(f->end);
    free(f->weights);
}

static int filter_make(filter *f, uint32_t in, const cpk_span *span) {
    uint32_t most = most_taps(in, span), out = span->count;
    f->stride = rounded(most);
    f->first = calloc(out, sizeof(uint32_t));
    f->end = calloc(out, sizeof(uint32_t));
    f->weights = calloc((size_t)out * f->stride, sizeof(float));
    if (!f->first || !f->end || !f->weights) return -1;
    double ratio = input_ratio(span), lobe = lobe_width(span);
    double step = M_PI / (LOBES * lobe), step_sine = sin(step), step_cosine = cos(step);
    for (uint32_t i = 0; i < out; i++) {
        double center = fmin(fmax((span->first + i + 0.5) * ratio - 0.5, -0.5), span->extent - 0.5);
        double low = ceil(center - LOBES * lobe), high = floor(center + LOBES * lobe);
        uint32_t first = low < 0 ? 0 : (uint32_t)low;
        uint32_t last = high > in - 1.0 ? in - 1 : (uint32_t)high;
        if (last - first >= most) last = first + most - 1;
        float *weights = f->weights + (size_t)i * f->stride;
        double sine = sin((first - center) * step), cosine = cos((first - center) * step), sum = 0;
        for (uint32_t k = first; k <= last; k++) {
            double t = (k - center) * step;
            // In the middle, where it is divided by what is as small, what the sums below have lost would count.
            double weight = lanczos(t, fabs(t) < 0.01 ? sin(t) : sine) * fmin(1, span->extent - k);
            weights[k - first] = (float)weight;
            sum += weight;
            // sin(t + step) and cos(t + step): two sines for each result, not one for each of its inputs.
            double next = sine * step_cosine + cosine * step_sine;
            cosine = cosine * step_cosine - sine * step_sine;
            sine = next;
        }
        for (uint32_t k = first; k <= last; k++) weights[k - first] /= (float)sum;
        f->first[i] = first;
        f->end[i] = last + 1;
    }
    return 0;
}

static inline __attribute__((always_inline)) void across_loop(
    pixel *to, const pixel *from, const filter *f, uint32_t width) {
    const uint32_t *starts = f->first;
    const float *weights = f->weights;
    size_t stride = f->stride;
    for (uint32_t x = 0; x < width; x++, weights += stride) {
        const pixel *in = from + starts[x];
        pair first = {0}, second = {0};
        // Few weights are the rule, and more in one turn cost more around it.
#pragma clang loop unroll(disable)
        for (size_t k = 0; k < stride; k += GROUP) {
            pixel four;
            memcpy(&four, weights + k, sizeof four);
            first += *(const pair *)(in + k) * __builtin_shufflevector(four, four, 0, 0, 0, 0, 1, 1, 1, 1);
            second += *(const pair *)(in + k + 2) * __builtin_shufflevector(four, four, 2, 2, 2, 2, 3, 3, 3, 3);
        }
        first += second;
        to[x] = __builtin_shufflevector(first, first, 0, 1, 2, 3) + __builtin_shufflevector(first, first, 4, 5, 6, 7);
    }
}

static inline __attribute__((always_inline)) void widen_loop(pixel *to, const uint8_t *row, uint32_t width) {
    float *restrict values = (float *)to;
    for (uint32_t i = 0; i < width * 4; i++) values[i] = row[i];
}

static inline __attribute__((always_inline)) void down_loop(
    pixel *to, const pixel *const *rows, const float *weights, uint32_t taps, uint32_t width) {
    float *restrict sums = (float *)to;
    uint32_t count = width * 4;
    for (uint32_t k = 0; k < taps; k += GROUP) {
        const float *a = (const float *)rows[k], *b = (const float *)rows[k + 1];
        const float *c = (const float *)rows[k + 2], *d = (const float *)rows[k + 3];
        float wa = weights[k], wb = weights[k + 1], wc = weights[k + 2], wd = weights[k + 3];
        if (k == 0) {
            for (uint32_t i = 0; i < count; i++) sums[i] = (a[i] * wa + b[i] * wb) + (c[i] * wc + d[i] * wd);
        } else {
            for (uint32_t i = 0; i < count; i++) sums[i] += (a[i] * wa + b[i] * wb) + (c[i] * wc + d[i] * wd);
        }
    }
}

/// Rounds colours and alpha that is not weighed; what the filter's lobes have brought out of range is cut to it.
static inline __attribute__((always_inline)) void round_loop(uint8_t *to, const pixel *from, uint32_t width) {
    const float *restrict values = (const float *)from;
    for (uint32_t i = 0; i < width * 4; i++) {
        float value = values[i] + 0.5f;
        value = value < 0 ? 0 : value;
        to[i] = (uint8_t)(int32_t)(value > 255 ? 255 : value);
    }
}

static void widen_plain(pixel *to, const uint8_t *row, uint32_t width) {
    widen_loop(to, row, width);
}

static void across_plain(pixel *to, const pixel *from, const filter *f, uint32_t width) {
    across_loop(to, from, f, width);
}

static void down_plain(pixel *to, const pixel *const *rows, const float *weights, uint32_t taps, uint32_t width) {
    down_loop(to, rows, weights, taps, width);
}

static void round_plain(uint8_t *to, const pixel *from, uint32_t width) {
    round_loop(to, from, width);
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) static void round_avx2(uint8_t *to, const pixel *from, uint32_t width) {
    round_loop(to, from, width);
}

__attribute__((target("avx2,fma"))) static void widen_avx2(pixel *to, const uint8_t *row, uint32_t width) {
    widen_loop(to, row, width);
}

__attribute__((target("avx2,fma"))) static void across_avx2(
    pixel *to, const pixel *from, const filter *f, uint32_t width) {
    across_loop(to, from, f, width);
}

__attribute__((target("avx2,fma"))) static void down_avx2(
    pixel *to, const pixel *const *rows, const float *weights, uint32_t taps, uint32_t width) {
    down_loop(to, rows, weights, taps, width);
}
#endif

static kernels best_kernels(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return (kernels){widen_avx2, across_avx2, down_avx2, round_avx2};
    }
#endif
    return (kernels){widen_plain, across_plain, down_plain, round_plain};
}

static void write_row(const cpk_canvas *canvas, const uint8_t *row, uint32_t width, uint32_t y) {
    uint8_t *to = canvas->origin + (ptrdiff_t)y * canvas->step_y;
    if (canvas->step_x == 4) {
        memcpy(to, row, (size_t)width * 4);
        return;
    }
    for (uint32_t x = 0; x < width; x++) {
        memcpy(to, row + (size_t)x * 4, 4);
        to += canvas->step_x;
    }
}

cpk_resampler *cpk_resampler_create(
    uint32_t in_width, uint32_t in_height, cpk_span across, cpk_span down, int weighs_alpha, cpk_canvas canvas) {
    if (in_width == 0 || in_height == 0 || across.count == 0 || down.count == 0) return NULL;
    if (!(across.whole >= 1 && down.whole >= 1 && across.first >= 0 && down.first >= 0)) return NULL;
    if (!is_covered(in_width, &across) || !is_covered(in_height, &down)) return NULL;
    uint32_t out_width = across.count;
    cpk_resampler *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->in_width = in_width;
    r->in_height = in_height;
    r->out_width = out_width;
    r->out_height = down.count;
    r->weighs_alpha = weighs_alpha;
    r->canvas = canvas;
    r->finished = malloc((size_t)out_width * 4);
    int failed = !r->finished;
    if (is_cut(in_width, &across) && is_cut(in_height, &down)) {
        r->left = (uint32_t)across.first;
        r->top = (uint32_t)down.first;
    } else if (!failed) {
        failed = filter_make(&r->across, in_width, &across) || filter_make(&r->down, in_height, &down);
        r->kernels = best_kernels();
        r->ring_rows = most_taps(in_height, &down);
        // Of what is cut, more would be summed than stays.
        int is_whole = across.first == 0 && across.count >= across.whole;
        r->sums_first = is_whole && down.count < in_height
            && (size_t)r->ring_rows * in_width * sizeof(pixel) <= CPK_RING_BYTES;
        r->ring_width = r->sums_first ? in_width : out_width;
        // Zeros follow what is filtered across, because rounding up the weights reads past it.
        size_t padded = (size_t)in_width + r->across.stride;
        r->input = aligned_alloc(sizeof(pixel), padded * sizeof(pixel));
        r->sums = aligned_alloc(sizeof(pixel), (r->sums_first ? padded : out_width) * sizeof(pixel));
        r->result = r->sums_first ? aligned_alloc(sizeof(pixel), (size_t)out_width * sizeof(pixel)) : r->sums;
        r->rows = calloc(r->down.stride, sizeof *r->rows);
        r->ring = aligned_alloc(sizeof(pixel), (size_t)r->ring_rows * r->ring_width * sizeof(pixel));
        failed = failed || !r->input || !r->sums || !r->result || !r->rows || !r->ring;
        if (!failed) {
            pixel *filtered = r->sums_first ? r->sums : r->input;
            memset(filtered + in_width, 0, r->across.stride * sizeof(pixel));
        }
    }
    if (failed) {
        cpk_resampler_destroy(r);
        return NULL;
    }
    return r;
}

void cpk_resampler_destroy(cpk_resampler *r) {
    if (!r) return;
    filter_free(&r->across);
    filter_free(&r->down);
    free(r->input);
    if (r->result != r->sums) free(r->result);
    free(r->sums);
    free(r->rows);
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

static void widen(const cpk_resampler *r, pixel *to, const uint8_t *row, int channels) {
    int weighs = r->weighs_alpha && (channels == 2 || channels == 4);
    if (channels == 4 && !weighs) {
        // The way of every JPEG.
        r->kernels.widen(to, row, r->in_width);
        return;
    }
    for (uint32_t x = 0; x < r->in_width; x++) {
        pixel value = __builtin_convertvector(load(row, x, channels), pixel);
        if (weighs) {
            float alpha = value[3];
            value *= alpha * (1.0f / 255.0f);
            value[3] = alpha;
        }
        to[x] = value;
    }
}

static inline void store_weighed(uint8_t *to, pixel value) {
    float alpha = value[3];
    if (alpha > 0) value *= 255.0f / alpha;
    value[3] = alpha;
    value += 0.5f;
    ints4 is_negative = value < 0.0f, is_over = value > 255.0f;
    ints4 whole = (__builtin_convertvector(value, ints4) & ~is_negative & ~is_over) | (is_over & 255);
    bytes4 bytes = __builtin_convertvector(whole, bytes4);
    memcpy(to, &bytes, 4);
}

static inline pixel *ring_row(const cpk_resampler *r, uint32_t row) {
    return r->ring + (size_t)(row % r->ring_rows) * r->ring_width;
}

static void write_ready_rows(cpk_resampler *r) {
    while (r->written < r->out_height) {
        uint32_t y = r->written, first = r->down.first[y], end = r->down.end[y];
        if (end > r->pushed) return;
        for (uint32_t k = 0; k < r->down.stride; k++) {
            // Weights beyond the last row are zero, so any row will do there.
            uint32_t row = first + k < end ? first + k : first;
            r->rows[k] = ring_row(r, row);
        }
        r->kernels.down(
            r->sums, r->rows, r->down.weights + (size_t)y * r->down.stride, r->down.stride, r->ring_width);
        if (r->sums_first) r->kernels.across(r->result, r->sums, &r->across, r->out_width);
        if (r->weighs_alpha) {
            for (uint32_t x = 0; x < r->out_width; x++) store_weighed(r->finished + 4 * (size_t)x, r->result[x]);
        } else {
            r->kernels.round(r->finished, r->result, r->out_width);
        }
        write_row(&r->canvas, r->finished, r->out_width, y);
        r->written++;
    }
}

/// Spreads the channels of the part of a row that stays.
static void cut_row(cpk_resampler *r, const uint8_t *row, int channels) {
    uint32_t y = r->pushed++;
    if (y < r->top || r->written >= r->out_height) return;
    const uint8_t *pixels = row + (size_t)r->left * channels;
    if (channels != 4) {
        for (uint32_t x = 0; x < r->out_width; x++) {
            bytes4 value = load(pixels, x, channels);
            memcpy(r->finished + 4 * (size_t)x, &value, 4);
        }
        pixels = r->finished;
    }
    write_row(&r->canvas, pixels, r->out_width, r->written++);
}

void cpk_resampler_push(cpk_resampler *r, const uint8_t *row, int channels) {
    if (r->pushed >= r->in_height || r->written >= r->out_height) return;
    if (!r->input) return cut_row(r, row, channels);
    // What lies above the part that is made counts for nothing.
    if (r->pushed < r->down.first[0]) {
        r->pushed++;
        return;
    }
    pixel *kept = ring_row(r, r->pushed);
    widen(r, r->sums_first ? kept : r->input, row, channels);
    if (!r->sums_first) r->kernels.across(kept, r->input, &r->across, r->out_width);
    r->pushed++;
    write_ready_rows(r);
}
