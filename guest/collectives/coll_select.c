/*
 * coll_select.c: the table of coll_algorithms.def, asked and printed.
 */
#include "collectives_lib.h"

/* Bare metal has one stream. */
#ifdef MS_BAREMETAL
#define fprintf(stream, ...) ((void)(stream), printf(__VA_ARGS__))
#endif

struct row {
    int call, members;
    size_t bytes;
    int algorithm;
};

static const struct row rows[] = {
#define ROW(call, members, bytes, algorithm) \
    {RCCE_COLL_##call, members, bytes, RCCE_COLL_##algorithm},
#include "coll_algorithms.def"
#undef ROW
};
#define ROWS (int)(sizeof rows / sizeof rows[0])

static int forced[RCCE_COLL_CALLS];

void RCCE_coll_force(enum RCCE_coll_call call,
                     enum RCCE_coll_algorithm algorithm)
{
    forced[call] = (int)algorithm;
}

static int has(int call, int algorithm)
{
    for (int n = 0; n < ROWS; n++)
        if (rows[n].call == call && rows[n].algorithm == algorithm)
            return 1;
    return 0;
}

enum RCCE_coll_algorithm RCCE_coll_choose(enum RCCE_coll_call call, int members,
                                          size_t bytes)
{
    int found = RCCE_COLL_SIMPLE;

    if (forced[call] != RCCE_COLL_AUTO)
        return has((int)call, forced[call])
                   ? (enum RCCE_coll_algorithm)forced[call]
                   : RCCE_COLL_SIMPLE;
    for (int n = 0; n < ROWS; n++)
        if (rows[n].call == (int)call && members >= rows[n].members &&
            bytes >= rows[n].bytes)
            found = rows[n].algorithm;
    return (enum RCCE_coll_algorithm)found;
}

const char *RCCE_coll_name(enum RCCE_coll_algorithm algorithm)
{
    static const char *const names[RCCE_COLL_ALGORITHMS] = {
        "auto", "simple", "dissemination", "tree", "direct", "slices",
    };
    return names[algorithm];
}

void RCCE_coll_print_table(FILE *stream)
{
    static const char *const calls[RCCE_COLL_CALLS] = {
        "barrier", "bcast",   "reduce",   "allreduce",
        "gather",  "scatter", "alltoall",
    };

    fprintf(stream, "%-10s %7s %9s  %s\n", "call", "members", "bytes",
            "algorithm");
    for (int n = 0; n < ROWS; n++)
        fprintf(stream, "%-10s %6d+ %8lu+  %s\n", calls[rows[n].call],
                rows[n].members, (unsigned long)rows[n].bytes,
                RCCE_coll_name((enum RCCE_coll_algorithm)rows[n].algorithm));
}
