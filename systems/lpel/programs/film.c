/*
 * film.c: the boxes of film.snet, a source that draws frames and a sink that
 * prints each frame's light. 64 by 64 points, grey, four bands.
 */
#include "film.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDE 64
#define BANDS 4
#define HIGH (WIDE / BANDS)
#define BAND (WIDE * HIGH)

static int frames = 6;

static void source(struct snet_end *end)
{
    for (int n = 0; n < frames; n++) {
        snet_record *record = snet_new();
        uint8_t *frame = lpel_malloc(WIDE * WIDE);

        for (int at = 0; at < WIDE * WIDE; at++) {
            int x = at % WIDE - 8 - 8 * n, y = at / WIDE - 20;

            frame[at] = x * x + y * y < 150 ? 200 : 40;
        }
        snet_put(record, SNET_frame, frame);
        snet_set(record, SNET_n, n);
        snet_write(end, record);
    }
}

/* Upper bands are smoothed more often. */
void cut(struct snet_box *box, snet_record *in)
{
    uint8_t *frame = snet_take(in, SNET_frame);

    for (int part = 0; part < BANDS; part++) {
        snet_record *out = snet_new();
        uint8_t *band = lpel_malloc(BAND);

        memcpy(band, frame + part * BAND, BAND);
        snet_put(out, SNET_band, band);
        snet_set(out, SNET_n, snet_tag(in, SNET_n));
        snet_set(out, SNET_part, part);
        snet_set(out, SNET_left, BANDS - part);
        snet_out(box, out);
    }
    lpel_free(frame);
}

static int at(const uint8_t *band, int x, int y)
{
    x = x < 0 ? 0 : x >= WIDE ? WIDE - 1 : x;
    y = y < 0 ? 0 : y >= HIGH ? HIGH - 1 : y;
    return band[y * WIDE + x];
}

static void smooth_band(void *argument)
{
    static uint8_t scratch[BAND];
    uint8_t *band = argument;

    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++)
            scratch[y * WIDE + x] =
                (uint8_t)((at(band, x - 1, y) + at(band, x + 1, y) +
                           at(band, x, y - 1) + at(band, x, y + 1) +
                           4 * at(band, x, y)) /
                          8);
    memcpy(band, scratch, BAND);
}

void smooth(struct snet_box *box, snet_record *in)
{
    snet_record *out = snet_new();
    uint8_t *band = snet_take(in, SNET_band);
    int left = snet_tag(in, SNET_left) - 1;

    lpel_compute(smooth_band, band);
    snet_put(out, SNET_band, band);
    if (left)
        snet_set(out, SNET_left, left);
    else
        snet_set(out, SNET_done, 1);
    snet_out(box, out);
}

void look(struct snet_box *box, snet_record *in)
{
    snet_record *out = snet_new();
    uint8_t *band = snet_take(in, SNET_band), least = 255, most = 0;

    for (int n = 0; n < BAND; n++) {
        least = band[n] < least ? band[n] : least;
        most = band[n] > most ? band[n] : most;
    }
    snet_put(out, most - least > 16 ? SNET_rough : SNET_flat, band);
    snet_out(box, out);
}

static void draw_edges(void *argument)
{
    static uint8_t scratch[BAND];
    uint8_t *band = argument;

    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++)
            scratch[y * WIDE + x] =
                (uint8_t)(abs(at(band, x + 1, y) - at(band, x - 1, y)) / 2 +
                          abs(at(band, x, y + 1) - at(band, x, y - 1)) / 2);
    memcpy(band, scratch, BAND);
}

void edges(struct snet_box *box, snet_record *in)
{
    snet_record *out = snet_new();
    uint8_t *band = snet_take(in, SNET_rough);

    lpel_compute(draw_edges, band);
    snet_put(out, SNET_strip, band);
    snet_out(box, out);
}

void plain(struct snet_box *box, snet_record *in)
{
    snet_record *out = snet_new();
    uint8_t *band = snet_take(in, SNET_flat);

    memset(band, 0, BAND);
    snet_put(out, SNET_strip, band);
    snet_out(box, out);
}

/* Frames whose strips have not all come. */
struct desk {
    struct {
        uint8_t *frame;
        int n, strips;
    } open[16];
};

void join(struct snet_box *box, snet_record *in)
{
    struct desk *desk = snet_state(box, sizeof *desk);
    int n = snet_tag(in, SNET_n), part = snet_tag(in, SNET_part);
    uint8_t *strip = snet_take(in, SNET_strip);
    int place = n % 16;

    if (!desk->open[place].frame) {
        desk->open[place].frame = lpel_malloc(WIDE * WIDE);
        desk->open[place].n = n;
        desk->open[place].strips = 0;
    }
    memcpy(desk->open[place].frame + part * BAND, strip, BAND);
    lpel_free(strip);
    if (++desk->open[place].strips < BANDS)
        return;
    snet_record *out = snet_new();

    snet_put(out, SNET_frame, desk->open[place].frame);
    snet_set(out, SNET_n, n);
    desk->open[place].frame = NULL;
    snet_out(box, out);
}

static void sink(struct snet_end *end)
{
    snet_record *record;
    int count = 0, light = 0;

    while ((record = snet_read(end))) {
        uint8_t *frame = snet_take(record, SNET_frame);

        for (int n = 0; n < WIDE * WIDE; n++)
            light += frame[n];
        count++;
        lpel_free(frame);
        snet_drop(record);
    }
    printf("frames %d light %d\n", count, light);
}

int main(int argc, char **argv)
{
    struct lpel_config config = {.variant = LPEL_UNCACHED};
    struct lpel_usage usage;

    if (argc > 1)
        frames = atoi(argv[1]);
    lpel_init(&argc, &argv, &config);
    snet_run(&film, source, LPEL_ANY, sink, LPEL_ANY);
    usage = lpel_usage();
    if (lpel_rank() == 0)
        printf("left %u blocks\n", (unsigned)usage.blocks);
    lpel_finalize();
    return 0;
}
