// SHMADD: 512 MB of uncached shared memory, one word at each 16 MB and the
// last one, written by one UE and read by another.
// run: --cores 0,13,47 --tag none
// cc: -DSHMADD -lrcce
// expect-stdout:
// 512 MB, 33 words right, at the same address on all UEs
// no room for more, room again after a free
#include "RCCE.h"

#define STEP 0x1000000u

int RCCE_APP(int argc, char **argv)
{
    int right = 0;
    unsigned long mine, first;
    if (RCCE_init(&argc, &argv))
        return 1;
    int me = RCCE_ue();
    t_vcharp all = RCCE_shmalloc(RCCE_SHM_SIZE_MAX);
    if (!all)
        return 2;
    mine = first = (unsigned long)all;
    RCCE_bcast((char *)&first, sizeof first, 0, RCCE_COMM_WORLD);
    if (me == 2)
        for (unsigned i = 0; i <= 32; i++)
            *(volatile unsigned *)(all + i * STEP - (i == 32) * 4) = ~i;
    RCCE_barrier(&RCCE_COMM_WORLD);
    for (unsigned i = 0; i <= 32; i++)
        right += *(volatile unsigned *)(all + i * STEP - (i == 32) * 4) == ~i;
    int ok = right == 33 && mine == first, sum;
    RCCE_reduce((char *)&ok, (char *)&sum, 1, RCCE_INT, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    t_vcharp none = RCCE_shmalloc(32);
    RCCE_shfree(all);
    t_vcharp again = RCCE_shmalloc(32);
    if (me == 0 && sum == 3)
        printf("%d MB, %d words right, at the same address on all UEs\n",
               RCCE_SHM_SIZE_MAX >> 20, right);
    if (me == 0)
        printf("%s, %s after a free\n", none ? "room" : "no room for more",
               again ? "room again" : "none");
    return RCCE_finalize();
}
