/*
 * picture.h: pictures of 208 by 208 points in red, green and blue, 127 kB each.
 * With a file (format P6, that size), its pictures come in turn; without a
 * file, a drawn scene: a sky, hills and a sun whose place depends on the
 * number, with the noise of a sensor.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdint.h>

#define SIDE 208
#define POINTS (SIDE * SIDE)
#define PICTURE_BYTES (POINTS * 3)

/* Stores picture `number`, PICTURE_BYTES long, 3 bytes a point, row by row. */
void picture_fill(void *data, uint32_t number);

#endif
