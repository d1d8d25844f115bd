/*
 * argp_help.c: argp_help(), argp_state_help(), and messages of parsers.
 */
#include "argp_lib.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern char *program_invocation_name, *program_invocation_short_name;

/* Each text of arguments has patterns, a line each; a usage shows one of them.
 * `number` counts through all combinations; with no page, it returns how many
 * there are. */
static unsigned arguments(struct page *page, const struct argp *argp,
                          const struct argp_state *state, unsigned number)
{
    const char *text =
        __argp_filter(argp, ARGP_KEY_HELP_ARGS_DOC, argp->args_doc, state);
    unsigned patterns = 1, all;

    for (const char *c = text; c && *c; c++)
        patterns += *c == '\n';
    if (page && text) {
        const char *at = text, *end;

        for (unsigned n = number % patterns; n; n--)
            at = strchr(at, '\n') + 1;
        end = strchrnul(at, '\n');
        if (end > at) {
            __argp_page_space(page, (size_t)(end - at) + 1);
            __argp_page_format(page, "%.*s", (int)(end - at), at);
        }
    }
    __argp_free_filtered(text, argp->args_doc);
    all = patterns;
    for (const struct argp_child *child = argp->children; child && child->argp;
         child++)
        all *= arguments(page, child->argp, state, number / all);
    return all;
}

static void usage(struct page *page, const struct argp *argp,
                  const struct argp_state *state, const struct list *list,
                  unsigned flags, const char *name)
{
    unsigned all = arguments(NULL, argp, state, 0);

    for (unsigned number = 0; number < all; number++) {
        __argp_page_margins(page, 0, USAGE_INDENT);
        __argp_page_format(page, "%s %s", number ? "  or: " : "Usage:", name);
        __argp_page_margins(page, USAGE_INDENT, USAGE_INDENT);
        if (!(flags & ARGP_HELP_SHORT_USAGE))
            __argp_list_usage(list, page);
        else if (list->count)
            __argp_page_put(page, " [OPTION...]");
        arguments(page, argp, state, number);
        __argp_page_margins(page, 0, 0);
        __argp_page_put(page, "\n");
        flags |= ARGP_HELP_SHORT_USAGE;
    }
}

/* One text of a help, with a line's end. */
static int text(struct page *page, const struct argp *argp,
                const struct argp_state *state, int key, const char *begin,
                size_t size, int apart)
{
    char *own = begin ? strndup(begin, size) : NULL;
    const char *shown = __argp_filter(argp, key, own, state);
    int any = shown && *shown;

    if (any)
        __argp_page_format(page, "%s%s\n", apart ? "\n" : "", shown);
    __argp_free_filtered(shown, own);
    free(own);
    return any;
}

/* The text before the options is one parser's; those after them all have. */
static int docs(struct page *page, const struct argp *argp,
                const struct argp_state *state, int after, int apart)
{
    const char *doc = argp->doc, *parting = doc ? strchr(doc, '\v') : NULL;
    int any;

    if (after)
        any = text(page, argp, state, ARGP_KEY_HELP_POST_DOC,
                   parting ? parting + 1 : NULL, SIZE_MAX, apart);
    else
        any = text(page, argp, state, ARGP_KEY_HELP_PRE_DOC, doc,
                   parting ? (size_t)(parting - doc) : SIZE_MAX, apart);
    if (after && argp->help_filter)
        any |=
            text(page, argp, state, ARGP_KEY_HELP_EXTRA, NULL, 0, any || apart);
    for (const struct argp_child *child = argp->children;
         child && child->argp && !(any && !after); child++)
        any |= docs(page, child->argp, state, after, any || apart);
    return any;
}

static void help(const struct argp *argp, const struct argp_state *state,
                 FILE *stream, unsigned flags, const char *name)
{
    struct page page = {.out = stream};
    struct list list = {0};
    int any = 0;

    if (__argp_collect(&list, argp)) {
        __argp_release(&list);
        return;
    }
    if (flags & (ARGP_HELP_USAGE | ARGP_HELP_SHORT_USAGE)) {
        usage(&page, argp, state, &list, flags, name);
        any = 1;
    }
    if (flags & ARGP_HELP_PRE_DOC)
        any |= docs(&page, argp, state, 0, 0);
    if (flags & ARGP_HELP_SEE) {
        __argp_page_format(&page,
                           "Try `%s --help' or `%s --usage' for more "
                           "information.\n",
                           name, name);
        any = 1;
    }
    if (flags & ARGP_HELP_LONG && list.count) {
        if (any)
            __argp_page_put(&page, "\n");
        __argp_list(&list, state, &page);
        any = 1;
    }
    if (flags & ARGP_HELP_POST_DOC)
        any |= docs(&page, argp, state, 1, any);
    if (flags & ARGP_HELP_BUG_ADDR && argp_program_bug_address)
        __argp_page_format(&page, "%sReport bugs to %s.\n", any ? "\n" : "",
                           argp_program_bug_address);
    __argp_page_end(&page);
    __argp_release(&list);
}

void argp_help(const struct argp *argp, FILE *stream, unsigned flags,
               char *name)
{
    help(argp, NULL, stream, flags, name);
}

void argp_state_help(const struct argp_state *state, FILE *stream,
                     unsigned flags)
{
    if ((state && state->flags & ARGP_NO_ERRS) || !stream)
        return;
    if (state)
        help(state->root_argp, state, stream, flags, state->name);
    else
        help(&(struct argp){0}, NULL, stream, flags,
             program_invocation_short_name);
    if (state && state->flags & ARGP_NO_EXIT)
        return;
    if (flags & ARGP_HELP_EXIT_ERR)
        exit(argp_err_exit_status);
    if (flags & ARGP_HELP_EXIT_OK)
        exit(0);
}

void argp_usage(const struct argp_state *state)
{
    argp_state_help(state, stderr, ARGP_HELP_STD_USAGE);
}

/* The stream for messages, with the program's name on it; null: be silent. */
static FILE *begin_message(const struct argp_state *state)
{
    FILE *stream = state ? state->err_stream : stderr;

    if ((state && state->flags & ARGP_NO_ERRS) || !stream)
        return NULL;
    fputs(state ? state->name : program_invocation_short_name, stream);
    return stream;
}

void argp_error(const struct argp_state *state, const char *format, ...)
{
    FILE *stream = begin_message(state);
    va_list values;

    if (!stream)
        return;
    fputs(": ", stream);
    va_start(values, format);
    vfprintf(stream, format, values);
    va_end(values);
    fputc('\n', stream);
    argp_state_help(state, stream, ARGP_HELP_STD_ERR);
}

void argp_failure(const struct argp_state *state, int status, int number,
                  const char *format, ...)
{
    FILE *stream = begin_message(state);
    va_list values;

    if (!stream)
        return;
    if (format) {
        fputs(": ", stream);
        va_start(values, format);
        vfprintf(stream, format, values);
        va_end(values);
    }
    if (number)
        fprintf(stream, ": %s", strerror(number));
    fputc('\n', stream);
    if (status && !(state && state->flags & ARGP_NO_EXIT))
        exit(status);
}
