/*
 * fts_list.c: entries of files, and lists of what is in a folder.
 */
#include "fts_lib.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

FTSENT *__fts_make(FTSENT *parent, const char *folder, const char *name)
{
    size_t begin = strlen(folder), size = strlen(name);
    int slash = begin && folder[begin - 1] != '/';
    struct node *node = calloc(1, sizeof *node + size);
    FTSENT *entry;

    if (!node)
        return NULL;
    entry = &node->entry;
    entry->fts_path = malloc(begin + (size_t)slash + size + 1);
    if (!entry->fts_path) {
        free(node);
        return NULL;
    }
    strcpy(entry->fts_path, folder);
    strcpy(entry->fts_path + begin, slash ? "/" : "");
    strcat(entry->fts_path, name);
    strcpy(entry->fts_name, name);
    entry->fts_namelen = (unsigned short)size;
    entry->fts_pathlen = (unsigned short)strlen(entry->fts_path);
    entry->fts_accpath = entry->fts_path;
    entry->fts_parent = parent;
    entry->fts_level = (short)(parent ? parent->fts_level + 1 : -1);
    entry->fts_statp = &node->status;
    entry->fts_instr = FTS_NOINSTR;
    return entry;
}

void __fts_discard(FTSENT *entry)
{
    while (entry) {
        FTSENT *next = entry->fts_link;

        __fts_discard(node_of(entry)->children);
        free(entry->fts_path);
        free(node_of(entry));
        entry = next;
    }
}

static unsigned short kind_of_folder(FTSENT *entry)
{
    if (entry->fts_level > FTS_ROOTLEVEL &&
        (!strcmp(entry->fts_name, ".") || !strcmp(entry->fts_name, "..")))
        return FTS_DOT;
    for (FTSENT *above = entry->fts_parent; above->fts_level >= FTS_ROOTLEVEL;
         above = above->fts_parent)
        if (above->fts_ino == entry->fts_ino &&
            above->fts_dev == entry->fts_dev) {
            entry->fts_cycle = above;
            return FTS_DC;
        }
    return FTS_D;
}

unsigned short __fts_look(FTSENT *entry, int follow)
{
    struct stat *status = entry->fts_statp;
    int found = -1;

    if (follow)
        found = stat(entry->fts_accpath, status);
    if (found) {
        int why = errno;

        found = lstat(entry->fts_accpath, status);
        if (!found && follow) {
            errno = 0;
            return FTS_SLNONE;
        }
        if (found) {
            entry->fts_errno = follow ? why : errno;
            memset(status, 0, sizeof *status);
            return FTS_NS;
        }
    }
    entry->fts_dev = status->st_dev;
    entry->fts_ino = status->st_ino;
    entry->fts_nlink = status->st_nlink;
    if (S_ISDIR(status->st_mode))
        return kind_of_folder(entry);
    if (S_ISLNK(status->st_mode))
        return FTS_SL;
    return S_ISREG(status->st_mode) ? FTS_F : FTS_DEFAULT;
}

static int compare_by(const void *one, const void *other, void *compare)
{
    int (*const *by)(const FTSENT **, const FTSENT **) = compare;

    return (*by)((const FTSENT **)one, (const FTSENT **)other);
}

FTSENT *__fts_sorted(FTS *fts, FTSENT *list, size_t count)
{
    FTSENT **all = fts->compare && count > 1 ? malloc(count * sizeof *all) : 0;
    size_t n = 0;

    if (!all)
        return list;
    for (FTSENT *at = list; at; at = at->fts_link)
        all[n++] = at;
    qsort_r(all, count, sizeof *all, compare_by, &fts->compare);
    for (n = 0; n < count; n++)
        all[n]->fts_link = n + 1 < count ? all[n + 1] : NULL;
    list = all[0];
    free(all);
    return list;
}

static int is_left_out(const FTS *fts, const char *name)
{
    return !(fts->options & FTS_SEEDOT) &&
           (!strcmp(name, ".") || !strcmp(name, ".."));
}

int __fts_list(FTS *fts, FTSENT *folder)
{
    struct node *node = node_of(folder);
    DIR *open = opendir(folder->fts_accpath);
    FTSENT **end = &node->children;
    size_t count = 0;
    int failed = 0;

    if (!open)
        return -1;
    for (struct dirent *at; !failed && (at = readdir(open));) {
        if (is_left_out(fts, at->d_name))
            continue;
        *end = __fts_make(folder, folder->fts_path, at->d_name);
        failed = !*end;
        if (failed)
            break;
        /* Only what may be a folder, or a link to one, is looked at. */
        if (fts->options & FTS_NOSTAT && at->d_type != DT_DIR &&
            at->d_type != DT_UNKNOWN &&
            !(at->d_type == DT_LNK && fts->options & FTS_LOGICAL))
            (*end)->fts_info = FTS_NSOK;
        else
            (*end)->fts_info = __fts_look(*end, fts->options & FTS_LOGICAL);
        end = &(*end)->fts_link;
        count++;
    }
    closedir(open);
    if (failed) {
        __fts_discard(node->children);
        node->children = NULL;
        errno = ENOMEM;
        return -1;
    }
    node->children = __fts_sorted(fts, node->children, count);
    node->listed = 1;
    return 0;
}
