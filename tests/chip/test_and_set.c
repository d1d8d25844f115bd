// A read of a lock register returns its value and clears it; any write
// frees it; the own tile's registers are the same by both addresses.
// run: -n 1
// mutant: tas-does-not-clear
// expect-stdout:
// free, taken, taken, free again
#include "chip.h"

static void probe(word *lock, word *same)
{
    CHECK((*lock & 1) == 1); /* free after power-on, now ours */
    CHECK((*lock & 1) == 0);
    CHECK((*same & 1) == 0);
    *lock = 0; /* the value written does not matter */
    CHECK((*same & 1) == 1);
    CHECK((*lock & 1) == 0);
    *lock = 1;
}

int main(void)
{
    word *own_crb = map_uncached(OWN_CRB, 4096);

    probe(map_lock(0), own_crb + CRB_LOCK0 / 4);
    probe(map_lock(1), own_crb + CRB_LOCK1 / 4);
    probe(map_lock(47), map_lock(47));
    puts("free, taken, taken, free again");
    return 0;
}
