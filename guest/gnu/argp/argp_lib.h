/*
 * argp_lib.h: what the parts of argp know of each other: the groups of a parse,
 * the list of options for the help, and the page that it is written on.
 */
#ifndef ARGP_LIB_H
#define ARGP_LIB_H

#include <argp.h>
#include <stddef.h>

#define LINE 1024 /* bytes of a line before it is written as it is */

/* Columns, as GNU's manual gives them ("Customizing Argp Help Output"). */
#define SHORT_COLUMN 2
#define LONG_COLUMN 6
#define DOC_OPTION_COLUMN 2
#define DOC_COLUMN 29
#define HEADER_COLUMN 1
#define USAGE_INDENT 12
#define RIGHT_MARGIN 79

/* Lines whose words wrap before the right margin. */
struct page {
    FILE *out;
    unsigned left, wrap; /* where a line begins: after '\n', after a wrap */
    unsigned begun;      /* the indent of this line */
    unsigned length;
    char line[LINE];
};

/* Children with a header or a group of their own. */
struct cluster {
    const char *header;
    int group, index;
    unsigned depth;
    struct cluster *parent;
    const struct argp *argp;
};

/* An option and its aliases. */
struct entry {
    const struct argp_option *options;
    unsigned count;
    int group;
    unsigned order; /* in which it was declared */
    struct cluster *cluster;
    const struct argp *argp;
};

struct list {
    struct entry *entries;
    size_t count, room;
    struct cluster *clusters[64]; /* what is to be freed */
    size_t cluster_count;
};

/* A parser with its place in the tree. */
struct group {
    const struct argp *argp;
    struct group *parent;
    unsigned parent_index;
    void *input, **child_inputs, *hook;
    unsigned processed; /* arguments that it took */
};

struct parse {
    struct argp_state state;
    struct group *groups;
    void **child_inputs; /* of all groups */
    size_t group_count, child_count;
    const char *rest;       /* of a word of short options */
    int passed, passed_end; /* arguments before the option at hand */
    int options_end;
};

#define ARGUMENT (-1) /* of __argp_next(): none of errno's values */

extern const struct argp __argp_standard, __argp_version;

int __argp_is_end(const struct argp_option *option);
int __argp_short(const struct argp_option *option);
void __argp_page_put(struct page *page, const char *text);
void __argp_page_format(struct page *page, const char *format, ...)
    __attribute__((__format__(__printf__, 2, 3)));
void __argp_page_indent(struct page *page, unsigned column);
void __argp_page_space(struct page *page, size_t needed);
void __argp_page_margins(struct page *page, unsigned left, unsigned wrap);
void __argp_page_end(struct page *page);
int __argp_collect(struct list *list, const struct argp *argp);
void __argp_release(struct list *list);
void __argp_list(const struct list *list, const struct argp_state *state,
                 struct page *page);
void __argp_list_usage(const struct list *list, struct page *page);
const char *__argp_filter(const struct argp *argp, int key, const char *text,
                          const struct argp_state *state);
void __argp_free_filtered(const char *text, const char *original);
int __argp_next(struct parse *parse);
error_t __argp_call(struct parse *parse, struct group *group, int key,
                    char *arg);

#endif
