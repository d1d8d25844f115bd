// Each line of a way of L2, whatever the caches hold, in any order: what was
// written reaches memory, and what others wrote is read anew.
// cc: -O2 -lmesh -lrcce
// run: -n 2 --tag none
// expect-stdout:
// 0 of 16384 lines stuck, 0 of 16384 old
#include "mesh.h"

#include <cstdio>

using namespace mesh;

constexpr unsigned LINE = 32, SETS = 2048, STEP = 1027; /* prime to SETS */

static volatile int *word_of(char *memory, unsigned line)
{
    return reinterpret_cast<volatile int *>(memory + line * LINE);
}

/* Fills L1 and L2 with something else, and L1 with holes: lines of type MPBT
 * that poll() drops. */
static void disturb(unsigned round)
{
    static char other[40000];

    for (unsigned at = round; at < sizeof other; at += 96)
        other[at]++;
    poll();
}

int main(int argc, char **argv)
{
    Job job(&argc, &argv);
    static unsigned stuck, old;

    if (rank() != 0)
        return 0;
    detail::Grant grant = detail::take_grant(SETS * LINE);
    auto *memory = static_cast<char *>(detail::replica(grant.offset));

    for (unsigned n = 0; n < 8 * SETS; n++) {
        unsigned line = n * STEP % SETS;
        volatile int *word = word_of(memory, line);
        int before = *word, there = before;

        if (n % 5 == 0)
            disturb(n);
        /* Here, in the caches; then the other core, which has them too. */
        *word = before + 1;
        detail::write_back(const_cast<int *>(word), 4);
        there = ask(1, [word] {
            int seen = *word;

            *word = seen + 1;
            detail::write_back(const_cast<int *>(word), 4);
            return seen;
        });
        stuck += there != before + 1;
        old += *word != before + 2;
        detail::drop(const_cast<int *>(word), 4);
    }
    printf("%u of %u lines stuck, %u of %u old\n", stuck, 8 * SETS, old,
           8 * SETS);
    detail::give_back(grant.id);
    return 0;
}
