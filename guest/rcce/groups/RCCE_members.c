/*
 * RCCE_members.c: the members of communicators that are larger than the
 * published RCCE_COMM has room for. Such a communicator holds the number of a
 * table here; the numbers are the same on all UEs, which make the same calls.
 */
#include "RCCE_lib.h"

/* A basic program has room for the flags of no more communicators. */
#define TABLES (RCCE_RESERVE / (2 * RCCE_LINE_SIZE))

static int *tables[TABLES];
static int newest;

/* Room for all UEs; NULL when there is none. */
int *rcce_new_members(void)
{
    newest = 0;
    while (newest < TABLES - 1 && tables[newest])
        newest++;
    if (tables[newest])
        return NULL;
    tables[newest] = malloc((size_t)rcce_ues * sizeof(int));
    if (tables[newest])
        rcce_touch(tables[newest], (size_t)rcce_ues * sizeof(int));
    return tables[newest];
}

/* The table just filled becomes that of `comm`, or its own room does. */
void rcce_keep_members(RCCE_COMM *comm)
{
    if (comm->size > RCCE_MAXNP) {
        comm->member[0] = newest;
        return;
    }
    for (int n = 0; n < comm->size; n++)
        comm->member[n] = tables[newest][n];
    rcce_free_members(newest);
}

void rcce_free_members(int table)
{
    free(tables[table]);
    tables[table] = NULL;
}

const int *rcce_large_members(int table)
{
    return tables[table];
}
