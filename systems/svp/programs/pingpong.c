/*
 * pingpong.c: a family on another place that ends at once; its data goes there
 * and back [marc-2011, SVP, IV-A1].
 *
 *     pingpong TRANSPORT COPY_CORES ROUNDS FIRST_BYTES LAST_BYTES FACTOR
 *
 * A line for each size: the size, and the shortest time in nanoseconds from
 * create to the end of sync.
 */
#include <stdio.h>
#include <stdlib.h>

#include "transport.h"

struct ball {
    int count;
    int *data;
};

static void hit(int index, void *arguments)
{
    (void)index;
    (void)arguments;
}

static void describe(struct svp_data *data, void *arguments)
{
    struct ball *ball = arguments;

    SVP_INPUT(data, ball->count);
    SVP_INOUTS(data, ball->data, ball->count);
}

static const struct svp_function pong = {.name = "pong",
                                         .run = hit,
                                         .describe = describe,
                                         .arguments = sizeof(struct ball)};

static double shortest(struct ball *ball, int rounds)
{
    double best = 1e9;

    while (rounds-- > 0) {
        double start = svp_seconds();
        svp_family family;

        svp_create(&family, svp_place_of(1), 0, 1, 1, 0, &pong, ball);
        svp_sync(&family);
        double time = svp_seconds() - start;
        if (time < best)
            best = time;
    }
    return best;
}

int main(int argc, char **argv)
{
    if (argc != 7) {
        fprintf(stderr,
                "pingpong TRANSPORT COPY_CORES ROUNDS FIRST LAST FACTOR\n");
        return 2;
    }
    int rounds = atoi(argv[3]), factor = atoi(argv[6]), wrong = 0;
    size_t last = (size_t)atol(argv[5]);

    svp_start(transport_of(argv[1]), atoi(argv[2]));
    for (size_t bytes = (size_t)atol(argv[4]); bytes <= last;
         bytes *= (size_t)factor) {
        struct ball ball = {.count = (int)(bytes / sizeof(int)),
                            .data = svp_alloc(bytes)};

        for (int n = 0; n < ball.count; n++)
            ball.data[n] = n * 3 + 1;
        printf("%zu %.0f\n", bytes, shortest(&ball, rounds) * 1e9);
        for (int n = 0; n < ball.count; n++)
            wrong += ball.data[n] != n * 3 + 1;
        svp_free(ball.data);
    }
    wrong += svp_end();
    if (wrong)
        printf("wrong %d\n", wrong);
    return wrong != 0;
}
