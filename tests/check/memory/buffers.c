/*
 * Mistakes with blocks of message buffers and shared memory, one on each core;
 * with MENDED nobody makes any.
 */
#include <string.h>

#include "RCCE.h"

#ifdef MENDED
#define WRONG(wrong, right) right
#else
#define WRONG(wrong, right) wrong
#endif

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);

    t_vcharp near = RCCE_malloc(40), freed = RCCE_malloc(64);
    t_vcharp shared = RCCE_shmalloc(100), given = RCCE_shmalloc(320);
    volatile int sum = 0;

    RCCE_free(WRONG(freed, near));
    RCCE_shfree(WRONG(given, shared));
    switch (RCCE_ue()) {
    case 0:
        WRONG(near, freed)[WRONG(44, 39)] = 1; /* 0 beyond-block */
        break;
    case 1:
        sum += freed[3]; /* 1 use-after-free */
        break;
    case 2:
        WRONG(shared, given)[WRONG(101, 99)] = 1; /* 2 beyond-block */
        break;
    case 3:
        given[300] = 1; /* 3 use-after-free */
        break;
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_finalize();
    return 0;
}
