/*
 * argp_list.c: the list of options in a help, and the options in a usage line.
 */
#include "argp_lib.h"

#include <stdlib.h>
#include <string.h>

/* What has been printed before an entry. */
struct place {
    const struct entry *before;
    int headers; /* one has been printed: groups are apart */
    int both;    /* an argument stands at the long name alone */
};

const char *__argp_filter(const struct argp *argp, int key, const char *text,
                          const struct argp_state *state)
{
    const struct parse *parse = state ? state->pstate : NULL;
    void *input = NULL;

    if (!argp->help_filter)
        return text;
    for (size_t n = 0; parse && n < parse->group_count; n++)
        if (parse->groups[n].argp == argp)
            input = parse->groups[n].input;
    return argp->help_filter(key, text, input);
}

void __argp_free_filtered(const char *text, const char *original)
{
    if (text && text != original)
        free((char *)text);
}

static int inside(const struct cluster *cluster, const struct cluster *of)
{
    while (cluster && cluster != of)
        cluster = cluster->parent;
    return cluster == of;
}

static void header(struct page *page, struct place *place, const char *text,
                   const struct argp *argp, const struct argp_state *state)
{
    const char *shown = __argp_filter(argp, ARGP_KEY_HELP_HEADER, text, state);

    if (shown && *shown) {
        if (place->before)
            __argp_page_put(page, "\n");
        __argp_page_indent(page, HEADER_COLUMN);
        __argp_page_margins(page, HEADER_COLUMN, HEADER_COLUMN);
        __argp_page_put(page, shown);
        __argp_page_margins(page, 0, 0);
        __argp_page_put(page, "\n");
    }
    if (shown)
        place->headers = 1;
    __argp_free_filtered(shown, text);
}

/* Before a name: what is between groups, or between names. */
static void begin_name(struct page *page, struct place *place,
                       const struct entry *entry, int first, unsigned column,
                       const struct argp_state *state)
{
    const struct entry *before = place->before;
    const struct cluster *cluster = entry->cluster;

    if (!first) {
        __argp_page_put(page, ", ");
    } else {
        if (place->headers && before && before->group != entry->group)
            __argp_page_put(page, "\n");
        if (cluster && cluster->header && *cluster->header &&
            (!before ||
             (before->cluster != cluster && !inside(before->cluster, cluster))))
            header(page, place, cluster->header, cluster->argp, state);
    }
    __argp_page_indent(page, column);
}

static void argument(struct page *page, const struct argp_option *option,
                     const char *between)
{
    if (!option->arg)
        return;
    if (option->flags & OPTION_ARG_OPTIONAL)
        __argp_page_format(page, "[%s%s]", *between == ' ' ? "" : between,
                           option->arg);
    else
        __argp_page_format(page, "%s%s", between, option->arg);
}

static int names(struct page *page, struct place *place,
                 const struct entry *entry, const struct argp_state *state)
{
    const struct argp_option *real = entry->options;
    int documents = real->flags & OPTION_DOC, first = 1, longs = 0;

    for (unsigned n = 0; n < entry->count; n++)
        longs |= real[n].name && !(real[n].flags & OPTION_HIDDEN);
    for (unsigned n = 0; n < entry->count; n++) {
        int letter = documents ? 0 : __argp_short(&real[n]);

        if (!letter || real[n].flags & OPTION_HIDDEN)
            continue;
        begin_name(page, place, entry, first, SHORT_COLUMN, state);
        first = 0;
        __argp_page_format(page, "-%c", letter);
        if (!longs)
            argument(page, real, " ");
        else if (real->arg)
            place->both = 1;
    }
    for (unsigned n = 0; n < entry->count; n++) {
        if (!real[n].name || real[n].flags & OPTION_HIDDEN)
            continue;
        begin_name(page, place, entry, first,
                   documents ? DOC_OPTION_COLUMN : LONG_COLUMN, state);
        first = 0;
        __argp_page_format(page, "%s%s", documents ? "" : "--", real[n].name);
        if (!documents)
            argument(page, real, "=");
    }
    return first;
}

static void entry_doc(struct page *page, const struct entry *entry,
                      const struct argp_state *state)
{
    const struct argp_option *real = entry->options;
    const char *doc = __argp_filter(entry->argp, real->key, real->doc, state);

    if (doc && *doc) {
        unsigned column = page->length;

        __argp_page_margins(page, DOC_COLUMN, DOC_COLUMN);
        if (column > DOC_COLUMN + 3)
            __argp_page_put(page, "\n");
        else if (column >= DOC_COLUMN)
            __argp_page_put(page, "   ");
        else
            __argp_page_indent(page, DOC_COLUMN);
        __argp_page_put(page, doc);
    }
    __argp_free_filtered(doc, real->doc);
    __argp_page_margins(page, 0, 0);
    __argp_page_put(page, "\n");
}

void __argp_list(const struct list *list, const struct argp_state *state,
                 struct page *page)
{
    static const char note[] =
        "Mandatory or optional arguments to long options are also mandatory "
        "or optional for any corresponding short options.";
    struct place place = {0};

    for (size_t n = 0; n < list->count; n++) {
        const struct entry *entry = &list->entries[n];
        const struct argp_option *real = entry->options;

        __argp_page_margins(page, 0, LONG_COLUMN);
        if (!names(page, &place, entry, state))
            entry_doc(page, entry, state);
        else if (!real->name && !real->key)
            header(page, &place, real->doc, entry->argp, state);
        else
            continue;
        place.before = entry;
    }
    __argp_page_margins(page, 0, 0);
    if (place.both) {
        const struct argp *root = state ? state->root_argp : NULL;
        const char *text =
            root ? __argp_filter(root, ARGP_KEY_HELP_DUP_ARGS_NOTE, note, state)
                 : note;

        if (text && *text)
            __argp_page_format(page, "\n%s\n", text);
        __argp_free_filtered(text, note);
    }
}

static int in_usage(const struct entry *entry, unsigned n)
{
    int flags = entry->options->flags | entry->options[n].flags;

    return !(flags & (OPTION_HIDDEN | OPTION_NO_USAGE));
}

/* [-ab] [-f FILE] [-o[FILE]] [--file=FILE] [--out[=FILE]] */
void __argp_list_usage(const struct list *list, struct page *page)
{
    char letters[UCHAR_MAX + 1];
    size_t many = 0;

#define EACH(e, n)                              \
    for (const struct entry *e = list->entries; \
         e < list->entries + list->count; e++)  \
        for (unsigned n = 0; n < e->count; n++)
    EACH(e, n)
    if (in_usage(e, n) && __argp_short(&e->options[n]) && !e->options->arg &&
        many < sizeof letters - 1)
        letters[many++] = (char)__argp_short(&e->options[n]);
    letters[many] = 0;
    if (many)
        __argp_page_format(page, " [-%s]", letters);
    EACH(e, n)
    {
        const char *arg = e->options->arg;
        int letter = __argp_short(&e->options[n]);

        if (!in_usage(e, n) || !letter || !arg)
            continue;
        if (e->options->flags & OPTION_ARG_OPTIONAL) {
            __argp_page_format(page, " [-%c[%s]]", letter, arg);
            continue;
        }
        __argp_page_space(page, 6 + strlen(arg));
        __argp_page_format(page, "[-%c %s]", letter, arg);
    }
    EACH(e, n)
    if (in_usage(e, n) && e->options[n].name) {
        __argp_page_format(page, " [--%s", e->options[n].name);
        argument(page, e->options, "=");
        __argp_page_put(page, "]");
    }
#undef EACH
}
