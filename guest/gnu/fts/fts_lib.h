/*
 * fts_lib.h: an entry of a walk with what is ours, and the lists of entries.
 */
#ifndef FTS_LIB_H
#define FTS_LIB_H

#include <fts.h>
#include <stddef.h>

/* An entry with what is ours; its name grows over the end. */
struct node {
    FTSENT *children;
    int listed; /* `children` are those of now */
    struct stat status;
    FTSENT entry;
};

struct _fts {
    int options;
    int (*compare)(const FTSENT **, const FTSENT **);
    struct node *root; /* the parent of the paths that were given */
    FTSENT *current;
    int ended;
};

static inline struct node *node_of(FTSENT *entry)
{
    return (struct node *)((char *)entry - offsetof(struct node, entry));
}

FTSENT *__fts_make(FTSENT *parent, const char *folder, const char *name);
void __fts_discard(FTSENT *entry);
/* What an entry is; with `follow` what a link leads to. */
unsigned short __fts_look(FTSENT *entry, int follow);
/* A list of so many entries, in the caller's order. */
FTSENT *__fts_sorted(FTS *fts, FTSENT *list, size_t count);
/* Reads what is in a folder; -1 and errno if that cannot be. */
int __fts_list(FTS *fts, FTSENT *folder);

#endif
