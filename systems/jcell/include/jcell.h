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

/* Objects of the store; different objects that one transaction uses. */
enum { JCELL_MOST_OBJECTS = 4096, JCELL_MOST_TOUCHED = 192 };

/* Counts of this core. */
struct jcell_counts {
    /* Runs of transactions: committed; refused at the end; ended early because
     * the versions used did not belong together. */
    long committed, aborted, doomed;
    /* Objects used in runs that reached their end; of those from the cache, how
     * many were the newest version and how many were not. */
    long accesses, good, bad;
    /* Objects written in committed runs; mails sent; answers that another core
     * has the lock. */
    long written, mails, busy;
    long hops[8]; /* fetches by hops; last: 7 or more */
};

/* Opens the store of objects 1 to objects - 1; collective, after RCCE_init.
 * `cache`: how many versions a core keeps in its cache, 1 or
 * more; `depth`: how many earlier holders are informed of a new version, 1 or
 * more; `log`: gets each committed transaction's objects and versions, or NULL.
 * Returns false for other arguments, or if there is no room in the MPB or in
 * memory. */
bool jcell_open(int objects, int cache, int depth, FILE *log);
/* Collective, after jcell_open: runs `body` once, whose stores are completed
 * before the first transaction. It must do the same on all cores. */
void jcell_prepare(void (*body)(void *), void *argument);
/* Runs `body` until its transaction commits, serving other cores meanwhile.
 * `body` may run many times, and is left in the middle by longjmp if it has
 * used versions that do not belong together, so jcell_load and jcell_store must
 * be its only effects. */
void jcell_transaction(void (*body)(void *), void *argument);
/* Collective: serves the requests of other cores until all cores have called
 * it. */
void jcell_close(void);
const struct jcell_counts *jcell_counts(void); /* so far; they go on */

#endif
