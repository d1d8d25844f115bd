/*
 * jcell.h: objects as lists of immutable versions on all cores, found by way
 * of proxies, changed by decentralised transactions.
 *
 * Each core runs transactions and serves the others' requests. Build with
 * -DGORY (the mailboxes lie in the MPB); link with -ljcell -lrcce.
 */
#ifndef JCELL_H
#define JCELL_H

#include "jcell_tree.h"

#include <stdio.h>

enum { JCELL_MOST_OBJECTS = 4096, JCELL_MOST_TOUCHED = 192 };

struct jcell_counts {
    long committed, aborted, doomed; /* doomed: ran astray on old versions */
    long accesses, good, bad;        /* first accesses; what validation said */
    long written, mails, busy;
    long hops[8]; /* of fetches, the last: more */
};

/* Collective, after RCCE_init. False: no room in the MPB or in memory, or
 * more objects than there may be. `depth`: proxies that learn of a new
 * version; `cache`: versions that a core keeps. */
bool jcell_open(int objects, int cache, int depth, FILE *log);
/* Collective: what `body` stores is there before the first transaction. It must
 * do the same on all cores. */
void jcell_prepare(void (*body)(void *), void *argument);
/* Runs `body` until its transaction commits; it may be run many times, so
 * that nothing but jcell_load and jcell_store may have an effect. */
void jcell_transaction(void (*body)(void *), void *argument);
/* Collective: serves the others until all have come here. */
void jcell_close(void);
const struct jcell_counts *jcell_counts(void);

#endif
