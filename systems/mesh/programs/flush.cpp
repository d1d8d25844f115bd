/*
 * flush.cpp: what it costs to flush lines in software, in core cycles.
 *
 *   flush ROUNDS
 *
 * Prints "line CLEAN DIRTY" and "apart CLEAN DIRTY", means of lines that are in
 * the caches and flushed by a call each: neighbours, and lines a page apart, of
 * which each makes the windows' pages be walked. Then "range LINES CLEAN DIRTY",
 * cycles a line of a call. The cost of reading the counter is taken off.
 */
#include "mesh.h"

#include <cstdio>
#include <cstdlib>

using namespace mesh;

constexpr unsigned LINE = 32, MOST = 8192; /* lines of all of L2 */
constexpr unsigned PAGE = 128;             /* lines */

static uint64_t now()
{
    return __builtin_ia32_rdtsc();
}

/* In the caches, and different from memory if they are to be dirty. */
static void touch(char *start, unsigned lines, bool dirty)
{
    for (unsigned line = 0; line < lines; line++) {
        volatile char *byte = start + line * LINE;
        char value = *byte;

        if (dirty)
            *byte = (char)(value + 1);
    }
}

static unsigned cost(char *start, unsigned lines, bool dirty)
{
    touch(start, lines, dirty);
    uint64_t begin = now();
    unsigned timer = (unsigned)(now() - begin);

    begin = now();
    if (dirty)
        detail::write_back(start, lines * LINE);
    else
        detail::drop(start, lines * LINE);

    return (unsigned)(now() - begin) - timer;
}

static unsigned single_lines(char *memory, unsigned apart, bool dirty,
                             unsigned rounds)
{
    unsigned sum = 0;

    /* Twice: the first time brings code and page tables into the caches. */
    for (int turn = 0; turn < 2; turn++) {
        sum = 0;
        for (unsigned n = 0; n < rounds; n++)
            sum += cost(memory + n * apart * LINE, 1, dirty);
    }
    return sum / rounds;
}

int main(int argc, char **argv)
{
    Job job(&argc, &argv);
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 32;

    if (rounds < 1 || rounds * PAGE > MOST)
        fail("flush ROUNDS, up to 64", "%s rounds", argv[1]);
    if (rank())
        return 0;
    detail::Grant grant = detail::take_grant(MOST * LINE);
    auto *memory = static_cast<char *>(detail::replica(grant.offset));

    /* A set that was never flushed costs twice as much, once. */
    detail::write_back(memory, MOST * LINE);
    for (unsigned apart : {1u, PAGE}) {
        unsigned clean = single_lines(memory, apart, false, rounds);

        printf("%s %u %u\n", apart == 1 ? "line" : "apart", clean,
               single_lines(memory, apart, true, rounds));
    }
    for (unsigned lines = 4; lines <= MOST; lines *= 2) {
        unsigned clean = cost(memory, lines, false) / lines;

        printf("range %u %u %u\n", lines, clean,
               cost(memory, lines, true) / lines);
    }
    detail::give_back(grant.id);
    return 0;
}
