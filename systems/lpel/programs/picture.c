/*
 * picture.c: where the pictures come from.
 */
#include "picture.h"

#include <stdio.h>
#include <stdlib.h>

#include "farm.h"

#define MOST 16
#define DRAWN 8

static uint8_t *known[MOST];
static int known_count = -1;

static int read_header(FILE *file)
{
    int width, height, depth;

    return fscanf(file, "P6 %d %d %d", &width, &height, &depth) == 3 &&
           fgetc(file) != EOF && width == SIDE && height == SIDE &&
           depth == 255;
}

static uint8_t *new_picture(void)
{
    uint8_t *picture = aligned_alloc(8, PICTURE_BYTES);

    if (!picture)
        exit(1);
    return picture;
}

/* The file of the shared folder named by PICTURES: pictures in a row. */
static void read_file(void)
{
    const char *name = getenv("PICTURES");
    FILE *file = name ? fopen(name, "rb") : NULL;

    known_count = 0;
    if (name && !file)
        fprintf(stderr, "PICTURES=%s: no such file in the shared folder\n",
                name);
    while (file && known_count < MOST && read_header(file)) {
        uint8_t *picture = new_picture();

        if (fread(picture, PICTURE_BYTES, 1, file) != 1)
            break;
        known[known_count++] = picture;
    }
    if (file && !known_count)
        fprintf(stderr, "PICTURES=%s: no P6 picture of 208 by 208 points\n",
                name);
    if (name && !known_count)
        exit(1);
    if (file)
        fclose(file);
}

static uint8_t clipped(int value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static void draw(uint8_t *canvas, uint32_t number)
{
    int sun_x = (int)(number * 37 % SIDE), sun_y = 30 + (int)(number % 40);
    uint32_t grain = number * 2654435761u + 1;

    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            uint8_t *point = &canvas[(y * SIDE + x) * 3];
            int dx = x - sun_x, dy = y - sun_y;
            int hill = 120 + (int)((x * 13 + number * 29) % 64) / 2;
            int light = dx * dx + dy * dy < 400 ? 120 : 0;
            int noise = (int)((grain = grain * 1664525 + 1013904223) >> 28);

            if (y > hill) {
                point[0] = clipped(40 + noise + x / 4);
                point[1] = clipped(90 + noise + y / 4);
                point[2] = clipped(20 + noise);
            } else {
                point[0] = clipped(90 + light + noise + y / 2);
                point[1] = clipped(140 + light + noise);
                point[2] = clipped(230 - light / 2 + noise - y / 3);
            }
        }
}

static void draw_all(void)
{
    for (known_count = 0; known_count < DRAWN; known_count++) {
        known[known_count] = new_picture();
        draw(known[known_count], (uint32_t)known_count);
    }
}

void picture_fill(void *data, uint32_t number)
{
    if (known_count < 0)
        read_file();
    if (known_count == 0)
        draw_all();
    farm_copy(data, known[number % (uint32_t)known_count], PICTURE_BYTES);
}
