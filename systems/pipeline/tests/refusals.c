// What a pipeline cannot be made of, and the two orders of cores.
// cc: -O2 -lpipeline -lrcce
// run: --cores 13,2,12,22,0 --tag none
// expect-stdout:
// twice: 1, none: 1, slots: 1 1, room: 1 1
// trivial: 4 1 2 0 3
// snake: 4 1 3 0 2
#include "pipeline.h"

#include <stdio.h>

static void print(const char *name, enum pipeline_order order)
{
    int ues[RCCE_MAXNP];

    pipeline_place(ues, order);
    printf("%s:", name);
    for (int i = 0; i < RCCE_num_ues(); i++)
        printf(" %d", ues[i]);
    puts("");
}

int main(int argc, char **argv)
{
    static const int twice[] = {0, 1, 2, 3, 1}, none[] = {0, 1, 2, 3, 5};
    struct pipeline p;

    RCCE_init(&argc, &argv);
    int id = RCCE_ERROR_ID, value = RCCE_ERROR_VAL_UNDEFINED;
    int length = RCCE_ERROR_MESSAGE_LENGTH;
    int found[] = {
        pipeline_open(&p, PIPELINE_PRIVATE, 64, 1, twice) == id,
        pipeline_open(&p, PIPELINE_PRIVATE, 64, 1, none) == id,
        pipeline_open(&p, PIPELINE_UNCACHED, 64, 0, NULL) == value,
        pipeline_open(&p, PIPELINE_CACHED, 64, 5, NULL) == value,
        pipeline_open(&p, PIPELINE_PRIVATE, 0, 1, NULL) == length,
        pipeline_open(&p, PIPELINE_UNCACHED, (size_t)1 << 31, 1, NULL) ==
            length,
    };
    if (RCCE_ue() == 0) {
        printf("twice: %d, none: %d, slots: %d %d, room: %d %d\n", found[0],
               found[1], found[2], found[3], found[4], found[5]);
        print("trivial", PIPELINE_TRIVIAL);
        print("snake", PIPELINE_SNAKE);
    }
    RCCE_finalize();
    return 0;
}
