/*
 * nbody.c: bodies that attract each other, in a ring of tiles.
 *
 *     starter WORKERS [BODIES [STEPS]]    the controller
 *     nbody                               a worker
 *
 * A message is a header and all bodies. `D`: each worker passes it on and
 * computes its share of the next step; `U`: each puts its bodies into it;
 * `S`: the end. The loop over pairs is the one that the paper names as its
 * reference (Computer Language Benchmarks Game, n-body in C), which adds to the
 * body in memory; a worker takes both sides of a pair, for its own bodies only.
 */
#include "RCCE.h"
#include "lino.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_BODIES = 1024 };

/* Seven numbers; the eighth makes the message the published 65 KB. */
struct body {
    double x, y, z, vx, vy, vz, mass, unused;
};

/* A character, the workers, the hops, then the bodies: behind twelve bytes, so
 * that their doubles lie askew. How many bodies stands in what the character
 * leaves of its word. */
struct message {
    char kind;
    short bodies;
    int workers, hops;
    struct body body[MOST_BODIES];
};

static const double DT = 0.001;
static struct message message;
static struct body mine[MOST_BODIES];

static size_t size_of(int bodies)
{
    return offsetof(struct message, body) +
           (size_t)bodies * sizeof(struct body);
}

static bool receive(void)
{
    size_t header = offsetof(struct message, body);

    if (lino_read_all(&message, header) < header)
        return false;
    if (message.bodies < 1 || message.bodies > MOST_BODIES) {
        fprintf(stderr, "nbody: a message of %d bodies\n", message.bodies);
        exit(1);
    }
    size_t rest = size_of(message.bodies) - header;
    return lino_read_all(message.body, rest) == rest;
}

static void send(void)
{
    lino_write(&message, size_of(message.bodies));
}

static void advance(int first, int behind)
{
    for (int i = first; i < behind; i++) {
        struct body *b = &mine[i];

        *b = message.body[i];
        for (int j = 0; j < message.bodies; j++) {
            const struct body *other = &message.body[j];

            if (j == i)
                continue;
            double dx = b->x - other->x, dy = b->y - other->y;
            double dz = b->z - other->z;
            double distance = sqrt(dx * dx + dy * dy + dz * dz);
            double pull = DT / (distance * distance * distance);

            b->vx -= dx * other->mass * pull;
            b->vy -= dy * other->mass * pull;
            b->vz -= dz * other->mass * pull;
        }
        b->x += DT * b->vx;
        b->y += DT * b->vy;
        b->z += DT * b->vz;
        lino_pause();
    }
}

static int worker(int argc, char **argv)
{
    int first = 0, behind = 0;

    (void)argc, (void)argv;
    while (receive()) {
        int share = message.hops++;

        if (message.kind == 'U')
            for (int i = first; i < behind; i++)
                message.body[i] = mine[i];
        send();
        if (message.kind == 'S')
            return 0;
        if (message.kind != 'D')
            continue;
        first = message.bodies * share / message.workers;
        behind = message.bodies * (share + 1) / message.workers;
        advance(first, behind);
    }
    return 0;
}

static void place_bodies(void)
{
    unsigned state = 1;
    double *number = &message.body[0].x;

    for (int i = 0; i < message.bodies * 8; i++) {
        state = state * 1664525u + 1013904223u;
        number[i] = (i % 8 < 3 ? 1 : 0.1) * ((state >> 8) / 16777216.0);
    }
}

static bool round_trip(char kind)
{
    message.kind = kind;
    message.hops = 0;
    send();
    return receive() && message.kind == kind;
}

static int starter(int argc, char **argv)
{
    long workers, bodies = MOST_BODIES, steps = 1;
    double start, seconds, sum = 0;

    if (!lino_number("starter", "WORKERS", argv[1], 1, 48, &workers) ||
        (argc > 2 &&
         !lino_number("starter", "BODIES", argv[2], 1, MOST_BODIES, &bodies)) ||
        (argc > 3 &&
         !lino_number("starter", "STEPS", argv[3], 1, 1000000, &steps)))
        return 2;
    message.workers = (int)workers;
    message.bodies = (short)bodies;
    place_bodies();
    start = RCCE_wtime();
    for (long step = 0; step < steps; step++)
        if (!round_trip('D') || !round_trip('U')) {
            fprintf(stderr, "starter: the ring is broken\n");
            return 1;
        }
    seconds = RCCE_wtime() - start;
    round_trip('S');
    for (int i = 0; i < message.bodies; i++)
        sum += message.body[i].x + message.body[i].vy;
    printf("workers %d bodies %d steps %ld: %.3f ms a step, sum %.12f\n",
           message.workers, message.bodies, steps,
           1000 * seconds / (double)steps, sum);
    return 0;
}

int RCCE_APP(int argc, char **argv)
{
    static const struct lino_command commands[] = {
        {"starter", starter}, {"nbody", worker}, {0, 0}};

    return lino_main(argc, argv, commands);
}
