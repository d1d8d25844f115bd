/*
 * fts.c: walks of trees of files. The folder of work stays, so that an entry's
 * fts_accpath is its fts_path.
 */
#include "fts_lib.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

FTS *fts_open(char *const *paths, int options,
              int (*compare)(const FTSENT **, const FTSENT **))
{
    FTSENT *parent, **end;
    size_t count = 0;
    FTS *fts;

    if (options & ~FTS_OPTIONMASK) {
        errno = EINVAL;
        return NULL;
    }
    fts = calloc(1, sizeof *fts);
    parent = fts ? __fts_make(NULL, "", "") : NULL;
    if (!parent) {
        free(fts);
        return NULL;
    }
    fts->options = options;
    fts->compare = compare;
    fts->root = node_of(parent);
    fts->root->listed = 1;
    for (end = &fts->root->children; *paths; paths++, count++) {
        *end = __fts_make(parent, "", *paths);
        if (!*end) {
            fts_close(fts);
            errno = ENOMEM;
            return NULL;
        }
        (*end)->fts_info =
            __fts_look(*end, options & (FTS_LOGICAL | FTS_COMFOLLOW));
        end = &(*end)->fts_link;
    }
    fts->root->children = __fts_sorted(fts, fts->root->children, count);
    return fts;
}

/* Goes to an entry; a path that was given has its last part as a name. */
static FTSENT *go(FTS *fts, FTSENT *entry)
{
    char *slash = strrchr(entry->fts_name, '/');

    if (entry->fts_level == FTS_ROOTLEVEL && slash && slash[1]) {
        entry->fts_namelen = (unsigned short)strlen(slash + 1);
        memmove(entry->fts_name, slash + 1, entry->fts_namelen + 1u);
    }
    return fts->current = entry;
}

/* The entry behind the first one of a folder, which goes. */
static FTSENT *step(FTS *fts)
{
    FTSENT *done = fts->current, *parent = done->fts_parent;
    struct node *above = node_of(parent);

    above->children = done->fts_link;
    done->fts_link = NULL;
    __fts_discard(done);
    while (above->children && above->children->fts_instr == FTS_SKIP) {
        FTSENT *skipped = above->children;

        above->children = skipped->fts_link;
        skipped->fts_link = NULL;
        __fts_discard(skipped);
    }
    if (above->children) {
        FTSENT *next = above->children;

        if (next->fts_instr == FTS_FOLLOW)
            next->fts_info = __fts_look(next, 1);
        next->fts_instr = FTS_NOINSTR;
        return go(fts, next);
    }
    if (parent->fts_level == FTS_ROOTPARENTLEVEL) {
        fts->ended = 1;
        fts->current = NULL;
        errno = 0;
        return NULL;
    }
    parent->fts_info = parent->fts_errno ? FTS_ERR : FTS_DP;
    return fts->current = parent;
}

/* Into a folder; it is also what comes after an empty one. */
static FTSENT *enter(FTS *fts, FTSENT *folder, int skip)
{
    struct node *node = node_of(folder);
    FTSENT *above = folder;

    while (above->fts_level > FTS_ROOTLEVEL)
        above = above->fts_parent;
    skip |= fts->options & FTS_XDEV && above->fts_dev != folder->fts_dev;
    if (!skip && !node->listed && __fts_list(fts, folder)) {
        folder->fts_errno = errno;
        folder->fts_info = FTS_DNR;
        return folder;
    }
    if (skip || !node->children) {
        __fts_discard(node->children);
        node->children = NULL;
        folder->fts_info = FTS_DP;
        return folder;
    }
    return go(fts, node->children);
}

FTSENT *fts_read(FTS *fts)
{
    FTSENT *entry = fts->current;
    int instruction;

    if (fts->ended)
        return NULL;
    if (!entry) {
        if (fts->root->children)
            return go(fts, fts->root->children);
        fts->ended = 1;
        return NULL;
    }
    instruction = entry->fts_instr;
    entry->fts_instr = FTS_NOINSTR;
    if (instruction == FTS_AGAIN) {
        entry->fts_info = __fts_look(entry, fts->options & FTS_LOGICAL);
        return entry;
    }
    if (instruction == FTS_FOLLOW &&
        (entry->fts_info == FTS_SL || entry->fts_info == FTS_SLNONE)) {
        entry->fts_info = __fts_look(entry, 1);
        return entry;
    }
    if (entry->fts_info == FTS_D)
        return enter(fts, entry, instruction == FTS_SKIP);
    return step(fts);
}

FTSENT *fts_children(FTS *fts, int options)
{
    FTSENT *entry = fts->current;

    if (options && options != FTS_NAMEONLY) {
        errno = EINVAL;
        return NULL;
    }
    errno = 0;
    if (fts->ended)
        return NULL;
    if (!entry)
        return fts->root->children;
    if (entry->fts_info != FTS_D)
        return NULL;
    if (!node_of(entry)->listed && __fts_list(fts, entry))
        return NULL;
    return node_of(entry)->children;
}

int fts_set(FTS *fts, FTSENT *entry, int instruction)
{
    (void)fts;
    if (instruction && (instruction < FTS_AGAIN || instruction > FTS_SKIP)) {
        errno = EINVAL;
        return 1;
    }
    entry->fts_instr = (unsigned short)instruction;
    return 0;
}

int fts_close(FTS *fts)
{
    __fts_discard(&fts->root->entry);
    free(fts);
    return 0;
}
