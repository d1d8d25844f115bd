/*
 * jcell.h: objects as lists of immutable versions on all cores, found by
 * proxies, changed by decentralised transactions.
 *
 * Each core runs transactions and serves the others' requests. Build with
 * -DGORY (the mailboxes are in the MPB); link with -ljcell -lrcce.
 */
#ifndef JCELL_H
#define JCELL_H

#include "jcell_tree.h"

#include <stdio.h>

enum { JCELL_MOST_OBJECTS = 4096, JCELL_MOST_TOUCHED = 192 };

struct jcell_counts {
    long committed, aborted, doomed; /* doomed: used inconsistent versions */
    long accesses, good, bad;        /* first accesses; validations */
    long written, mails, busy;
    long hops[8]; /* fetches by hops; last: 7 or more */
};

/* Opens the store of `objects` objects; collective, after RCCE_init. `cache`:
 * how many versions a core keeps in its cache; `depth`: how many proxies are
 * informed of a new version. Returns false if there is no room in the MPB or in
 * memory, or if there are too many objects. */
bool jcell_open(int objects, int cache, int depth, FILE *log);
/* Collective: runs `body`, whose stores are completed before the first
 * transaction. It must do the same on all cores. */
void jcell_prepare(void (*body)(void *), void *argument);
/* Runs `body` until its transaction commits. `body` may run many times, so
 * jcell_load and jcell_store must be its only effects. */
void jcell_transaction(void (*body)(void *), void *argument);
/* Collective: serves the requests of other cores until all cores have called
 * it. */
void jcell_close(void);
const struct jcell_counts *jcell_counts(void);

#endif
