#include "CJPEGCanvas.h"

#include <string.h>

void cjpeg_canvas_write_row(const cjpeg_canvas *canvas, const uint8_t *row, uint32_t width, uint32_t y) {
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
