#include <math.h>
#include <pthread.h>
#include <string.h>

#include "CPixelKernels.h"

// A pixel is worked on as four lanes of 16 bits in one word: red, green and blue in linear light, and their
// luminance on top. Three look-ups (one per channel) added together give all four; the luminance finds the tone,
// which is added; three more look-ups encode the sums. Integers only, so it is the same on every processor.

enum {
    /// Linear 1.0. The room above it takes the roundings of three addends, so that no lane spills into the next.
    FULL = 65532,
    /// Below this the tone has an entry for every luminance, above it one for each 16: near black a step of linear
    /// light is up to 0.05 levels, further up a hundredth of that.
    FINE = 4096,
    COARSE_SHIFT = 4,
    TONE_ENTRIES = FINE + ((65536 - FINE) >> COARSE_SHIFT),
};

static double linear_of[256];
static float tone_of[3][TONE_ENTRIES];
static uint8_t encoded_of[65536];
static pthread_once_t tables_made = PTHREAD_ONCE_INIT;

static double encode(double x) {
    return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
}

static double decode(double v) {
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double clamped(double v) {
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

static inline size_t tone_index(size_t luminance) {
    return luminance < FINE ? luminance : FINE - (FINE >> COARSE_SHIFT) + (luminance >> COARSE_SHIFT);
}

static void make_tables(void) {
    // Highest power first; the fit is described where the filter is documented.
    static const double quartics[3][5] = {
        {-0.5617, 1.565, -1.6821, 1.668, 0.0114},
        {-0.0483, -0.0162, 0.2304, 0.83, -0.0002},
        {0.3685, -1.0224, 1.8376, -0.2176, -0.0001},
    };
    for (int i = 0; i < 256; i++) linear_of[i] = decode(i / 255.0);
    for (int i = 0; i < 65536; i++) encoded_of[i] = (uint8_t)lrint(255 * clamped(encode(i / (double)FULL)));
    const double middle = ((1 << COARSE_SHIFT) - 1) / 2.0;
    for (int i = 0; i < TONE_ENTRIES; i++) {
        int coarse = (i - FINE + (FINE >> COARSE_SHIFT)) << COARSE_SHIFT;
        double y = encode(clamped((i < FINE ? i : coarse + middle) / FULL));
        for (int c = 0; c < 3; c++) {
            double tone = 0;
            for (int power = 0; power < 5; power++) tone = tone * y + quartics[c][power];
            tone_of[c][i] = (float)(decode(clamped(tone)) * FULL);
        }
    }
}

static inline uint64_t lane(double value, int index) {
    return (uint64_t)(uint32_t)(value + 0.5) << (16 * index);
}

typedef struct {
    uint64_t channel[3][256];
    uint64_t tone[TONE_ENTRIES];
} mixing_tables;

static void prepare(mixing_tables *tables, double amount) {
    static const double weights[3] = {0.2126, 0.7152, 0.0722};
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 256; i++) {
            double full = linear_of[i] * FULL;
            tables->channel[c][i] = lane(full * weights[c], 3) + lane(full * (1 - amount), c);
        }
    }
    const float share = (float)amount;
    for (int i = 0; i < TONE_ENTRIES; i++) {
        uint32_t red = (uint32_t)(int32_t)(tone_of[0][i] * share + 0.5f);
        uint32_t green = (uint32_t)(int32_t)(tone_of[1][i] * share + 0.5f);
        uint32_t blue = (uint32_t)(int32_t)(tone_of[2][i] * share + 0.5f);
        tables->tone[i] = (uint64_t)blue << 32 | (green << 16 | red);
    }
}

/// The four lanes of the pixel in the low 32 bits of `pixel`.
static inline uint64_t mixed(const mixing_tables *tables, uint64_t pixel) {
    uint64_t lanes = tables->channel[0][pixel & 255] + tables->channel[1][(pixel >> 8) & 255]
        + tables->channel[2][(pixel >> 16) & 255];
    return lanes + tables->tone[tone_index(lanes >> 48)];
}

/// Leaves alpha alone.
static inline void store(uint64_t lanes, uint8_t *pixel) {
    pixel[0] = encoded_of[lanes & 0xffff];
    pixel[1] = encoded_of[(lanes >> 16) & 0xffff];
    pixel[2] = encoded_of[(lanes >> 32) & 0xffff];
}

void cpk_tone(void *bytes, size_t count, double amount) {
    uint8_t *pixels = bytes;
    pthread_once(&tables_made, make_tables);
    mixing_tables tables;
    prepare(&tables, amount);
    // Two pixels at a time: one load serves both, and their look-ups overlap.
    for (; count >= 2; count -= 2, pixels += 8) {
        uint64_t pair;
        memcpy(&pair, pixels, sizeof pair);
        uint64_t first = mixed(&tables, pair);
        uint64_t second = mixed(&tables, pair >> 32);
        store(first, pixels);
        store(second, pixels + 4);
    }
    if (count == 1) {
        uint32_t last;
        memcpy(&last, pixels, sizeof last);
        store(mixed(&tables, last), pixels);
    }
}
