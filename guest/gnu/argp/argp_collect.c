/*
 * argp_collect.c: the options of a tree of parsers in the order of the help.
 */
#include "argp_lib.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

int __argp_is_end(const struct argp_option *option)
{
    return !option->key && !option->name && !option->doc && !option->group;
}

/* The letter of an option, or 0. */
int __argp_short(const struct argp_option *option)
{
    int key = option->key;

    if (option->flags & OPTION_DOC)
        return 0;
    return key > 0 && key <= UCHAR_MAX && isprint(key) ? key : 0;
}

static struct cluster *add_cluster(struct list *list,
                                   const struct argp_child *child, int index,
                                   struct cluster *parent,
                                   const struct argp *argp)
{
    struct cluster *cluster = malloc(sizeof *cluster);

    if (!cluster ||
        list->cluster_count == sizeof list->clusters / sizeof *list->clusters) {
        free(cluster);
        return parent;
    }
    *cluster = (struct cluster){child->header, child->group,
                                index,         parent ? parent->depth + 1 : 0,
                                parent,        argp};
    return list->clusters[list->cluster_count++] = cluster;
}

static struct entry *add_entry(struct list *list)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 16;
        struct entry *more = realloc(list->entries, room * sizeof *more);

        if (!more)
            return NULL;
        list->entries = more;
        list->room = room;
    }
    return &list->entries[list->count++];
}

static int collect(struct list *list, const struct argp *argp,
                   struct cluster *cluster)
{
    const struct argp_option *option = argp->options;
    int group = 0;

    while (option && !__argp_is_end(option)) {
        struct entry *entry = add_entry(list);
        int header = !option->name && !option->key;

        if (!entry)
            return -1;
        group = option->group ? option->group : group + header;
        *entry = (struct entry){
            option, 0, group, (unsigned)(entry - list->entries), cluster, argp};
        do {
            entry->count++;
            option++;
        } while (!__argp_is_end(option) && (option->flags & OPTION_ALIAS));
    }
    for (const struct argp_child *child = argp->children; child && child->argp;
         child++) {
        struct cluster *inside = cluster;

        if (child->group || child->header)
            inside = add_cluster(list, child, (int)(child - argp->children),
                                 cluster, argp);
        if (collect(list, child->argp, inside))
            return -1;
    }
    return 0;
}

/* 0, 1, 2 ... and then -2, -1. */
static int compare_groups(int one, int other)
{
    if ((one < 0) == (other < 0))
        return one < other ? -1 : one > other;
    return one < 0 ? 1 : -1;
}

static const struct cluster *at_depth(const struct cluster *cluster,
                                      unsigned depth)
{
    while (cluster && cluster->depth > depth)
        cluster = cluster->parent;
    return cluster && cluster->depth == depth ? cluster : NULL;
}

/* The name by which an entry is sorted: its first letter or long name. */
static void sort_names(const struct entry *entry, int *letter,
                       const char **name)
{
    *letter = 0;
    *name = NULL;
    for (unsigned n = 0; n < entry->count; n++) {
        const struct argp_option *option = &entry->options[n];

        if (option->flags & OPTION_HIDDEN)
            continue;
        if (!*letter)
            *letter = __argp_short(option);
        if (!*name)
            *name = option->name;
    }
}

static int compare_names(const struct entry *one, const struct entry *other)
{
    int letters[2], firsts[2], documents[2];
    const struct entry *both[] = {one, other};
    const char *names[2];

    for (int n = 0; n < 2; n++) {
        sort_names(both[n], &letters[n], &names[n]);
        documents[n] = (both[n]->options->flags & OPTION_DOC) != 0;
        while (documents[n] && names[n] && *names[n] &&
               !isalnum((unsigned char)*names[n]))
            names[n]++;
        firsts[n] = letters[n] ? letters[n] : names[n] ? *names[n] : 0;
    }
    if (documents[0] != documents[1])
        return documents[0] - documents[1];
    if (!letters[0] && !letters[1] && names[0] && names[1])
        return strcasecmp(names[0], names[1]);
    if (tolower(firsts[0]) != tolower(firsts[1]))
        return tolower(firsts[0]) - tolower(firsts[1]);
    return firsts[1] - firsts[0];
}

static int compare(const void *first, const void *second)
{
    const struct entry *one = first, *other = second;
    int order;

    for (unsigned depth = 0;; depth++) {
        const struct cluster *a = at_depth(one->cluster, depth);
        const struct cluster *b = at_depth(other->cluster, depth);

        if (a == b && a)
            continue;
        order = compare_groups(a ? a->group : one->group,
                               b ? b->group : other->group);
        if (order)
            return order;
        if (a || b)
            return a && b ? a->index - b->index : a ? 1 : -1;
        order = compare_names(one, other);
        return order ? order : one->order < other->order ? -1 : 1;
    }
}

int __argp_collect(struct list *list, const struct argp *argp)
{
    if (collect(list, argp, NULL))
        return -1;
    if (list->count)
        qsort(list->entries, list->count, sizeof *list->entries, compare);
    return 0;
}

void __argp_release(struct list *list)
{
    while (list->cluster_count)
        free(list->clusters[--list->cluster_count]);
    free(list->entries);
}
