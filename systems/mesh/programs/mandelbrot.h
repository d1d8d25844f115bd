/* mandelbrot.h: the work of render.cpp and render_rcce.c. */
#ifndef MANDELBROT_H
#define MANDELBROT_H

enum { COLUMNS = 96, MOST_ROUNDS = 100 };

struct View {
    float left, top, step;
};

static inline struct View make_view(int rows)
{
    struct View view = {-2.2f, -1.2f, 2.4f / (float)rows};

    return view;
}

static inline void compute_row(const struct View *view, int row,
                               unsigned char *pixels)
{
    float y0 = view->top + view->step * (float)row;

    for (int column = 0; column < COLUMNS; column++) {
        float x0 = view->left + 3.2f / COLUMNS * (float)column;
        float x = 0, y = 0;
        int n = 0;

        for (; n < MOST_ROUNDS && x * x + y * y < 4; n++) {
            float next = x * x - y * y + x0;

            y = 2 * x * y + y0;
            x = next;
        }
        pixels[column] = (unsigned char)n;
    }
}

/* Returns `sum` plus the checksum of a row of COLUMNS pixels. The sum of all
 * rows does not depend on their order. */
static inline unsigned checksum(unsigned sum, int row,
                                const unsigned char *pixels)
{
    for (int column = 0; column < COLUMNS; column++)
        sum += pixels[column] * (unsigned)(row * COLUMNS + column + 1);
    return sum;
}

#endif
