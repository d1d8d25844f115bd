/*
 * rays.h: a small ray tracer: spheres over a chequered floor, one row of the
 * picture at a time. rays.c and rays_rcce.c spread the rows over cores.
 */
#ifndef RAYS_H
#define RAYS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 320
#define HEIGHT 240
#define BANDS 60 /* of so many rows each: */
#define ROWS (HEIGHT / BANDS)

struct vector {
    double x, y, z;
};

struct sphere {
    struct vector centre;
    double radius, mirror;
    struct vector colour;
};

static const struct sphere spheres[] = {
    {{0, 1, 4}, 1, 0.4, {1, 0.2, 0.2}},
    {{-2.2, 0.8, 5}, 0.8, 0.3, {0.2, 0.8, 0.3}},
    {{2.1, 0.7, 3.4}, 0.7, 0.5, {0.2, 0.4, 1}},
    {{0.9, 0.35, 2.4}, 0.35, 0.1, {1, 0.8, 0.1}},
    {{-0.9, 0.4, 2.6}, 0.4, 0.7, {0.9, 0.9, 0.9}},
};

static inline struct vector mix(struct vector a, double s, struct vector b)
{
    return (struct vector){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double dot(struct vector a, struct vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct vector unit(struct vector a)
{
    return mix((struct vector){0, 0, 0}, 1 / sqrt(dot(a, a)), a);
}

/* The nearest sphere that the ray from `from` in direction `way` hits, or null;
 * `*far` becomes its distance. */
static inline const struct sphere *hit(struct vector from, struct vector way,
                                       double *far)
{
    const struct sphere *nearest = NULL;

    for (unsigned n = 0; n < sizeof spheres / sizeof *spheres; n++) {
        struct vector to = mix(from, -1, spheres[n].centre);
        double half = dot(to, way);
        double root =
            half * half - dot(to, to) + spheres[n].radius * spheres[n].radius;
        double length = root < 0 ? -1 : -half - sqrt(root);

        if (length > 1e-6 && length < *far) {
            *far = length;
            nearest = &spheres[n];
        }
    }
    return nearest;
}

static inline struct vector trace(struct vector from, struct vector way,
                                  int depth)
{
    const struct vector light = {-0.48, 0.8, -0.36}, none = {0, 0, 0};
    double far = way.y < 0 ? -from.y / way.y : 1e9, shadow = 1e9;
    const struct sphere *sphere = hit(from, way, &far);
    struct vector at = mix(from, far, way), normal = {0, 1, 0}, colour;
    double mirror = 0.15;

    if (!sphere && way.y >= 0)
        return mix((struct vector){0.9, 0.95, 1}, way.y,
                   (struct vector){-0.6, -0.4, -0.1});
    if (sphere) {
        normal = unit(mix(at, -1, sphere->centre));
        colour = sphere->colour;
        mirror = sphere->mirror;
    } else {
        double dark = ((int)floor(at.x) + (int)floor(at.z)) & 1 ? 0.35 : 0.9;
        colour = (struct vector){dark, dark, dark};
    }
    double lit = dot(normal, light);
    if (lit < 0 || hit(at, light, &shadow))
        lit = 0;
    colour = mix(none, (1 - mirror) * (0.2 + 0.8 * lit), colour);
    if (depth > 0)
        colour =
            mix(colour, mirror,
                trace(at, mix(way, -2 * dot(way, normal), normal), depth - 1));
    return colour;
}

static inline unsigned char level(double value)
{
    return (unsigned char)(value >= 1 ? 255 : 255 * sqrt(value));
}

static inline void draw_row(int row, unsigned char *pixel)
{
    for (int column = 0; column < WIDTH; column++, pixel += 3) {
        struct vector way = {(column - WIDTH / 2) / 240.0,
                             (HEIGHT / 2 - row) / 240.0 - 0.1, 1};
        struct vector colour = trace((struct vector){0, 1.2, -1}, unit(way), 3);

        pixel[0] = level(colour.x);
        pixel[1] = level(colour.y);
        pixel[2] = level(colour.z);
    }
}

static inline void save(const char *name, const unsigned char *pixels)
{
    FILE *file = fopen(name, "wb");

    if (!file) {
        perror(name);
        fprintf(stderr, "hint: name its folder: rck run --share DIR\n");
        exit(1);
    }
    fprintf(file, "P6 %d %d 255\n", WIDTH, HEIGHT);
    fwrite(pixels, 3, WIDTH * HEIGHT, file);
    fclose(file);
}

#endif
