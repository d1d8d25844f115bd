// The published bounds, and the estimate: four slots for 48 stages take as
// long as the published table's constant work per byte says.
// cc: -O2 -lpipeline -lrcce
// run: -n 1
// expect-stdout:
// private: at most 147.00, undisturbed 155.50
// shared: at most 152.00, undisturbed 387.00
#include "pipeline.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    struct pipeline p = {.memory = PIPELINE_PRIVATE, .stages = 48, .slots = 4};

    RCCE_init(&argc, &argv);
    /* 2 chunks, message 0.5, work 2; then 32 chunks, work 1, message 0. */
    printf("private: at most %.2f, undisturbed %.2f\n",
           pipeline_bound(&p, 2, 0.5, 2), pipeline_estimate(&p, 13, 0.5, 2));
    p.memory = PIPELINE_UNCACHED;
    printf("shared: at most %.2f, undisturbed %.2f\n",
           pipeline_bound(&p, 3, 0.3472222222, 2.0),
           pipeline_estimate(&p, 32, 0, 1));
    RCCE_finalize();
    return 0;
}
