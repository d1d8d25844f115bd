/*
 * rays.c: a ray-traced picture by SVP: a family for each band of rows, a
 * thread for each row.
 *
 *     rck run -n 48 --share DIR rays      writes DIR/rays.ppm
 */
#include "rays.h"
#include "svp.h"

struct band {
    int first, bytes;
    unsigned char *pixels;
};

static void draw(int row, void *arguments)
{
    struct band *band = arguments;

    draw_row(band->first + row, band->pixels + row * WIDTH * 3);
}

static void describe(struct svp_data *data, void *arguments)
{
    struct band *band = arguments;

    SVP_INPUT(data, band->first);
    SVP_INPUT(data, band->bytes);
    SVP_OUTPUTS(data, band->pixels, band->bytes);
}

static const struct svp_function drawing = {.name = "draw",
                                            .run = draw,
                                            .describe = describe,
                                            .arguments = sizeof(struct band)};

int main(void)
{
    struct band bands[BANDS];
    svp_family families[BANDS];

    svp_start(SVP_DIRECT, 0);
    unsigned char *pixels = svp_alloc(WIDTH * HEIGHT * 3);
    double start = svp_seconds();
    for (int n = 0; n < BANDS; n++) {
        int bytes = ROWS * WIDTH * 3;

        bands[n] = (struct band){n * ROWS, bytes, pixels + n * bytes};
        svp_create(&families[n], svp_place_of(n % svp_places()), 0, ROWS, 1, 1,
                   &drawing, &bands[n]);
    }
    for (int n = 0; n < BANDS; n++)
        svp_sync(&families[n]);
    printf("%d places, %.1f ms\n", svp_places(), (svp_seconds() - start) * 1e3);
    save("rays.ppm", pixels);
    svp_free(pixels);
    return svp_end();
}
