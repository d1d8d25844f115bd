/*
 * argp_options.c: the next option or argument of a command line, given to the
 * parser that knows it.
 */
#include "argp_lib.h"

#include <string.h>

/* An option that was found, with its parser. */
struct found {
    struct group *group;
    const struct argp_option *option,
        *real; /* itself; what it is an alias of */
};

#define UNKNOWN ARGP_ERR_UNKNOWN /* a message has been written */

static int message(struct parse *parse)
{
    return parse->state.err_stream && !(parse->state.flags & ARGP_NO_ERRS);
}

/* Calls for each option of all parsers, until one call returns not 0. */
static int each(struct parse *parse,
                int (*visit)(struct found *, const void *, void *),
                const void *name, void *result)
{
    for (size_t n = 0; n < parse->group_count; n++) {
        struct found at = {.group = &parse->groups[n]};

        at.option = at.group->argp->options;
        for (; at.option && !__argp_is_end(at.option); at.option++) {
            if (!(at.option->flags & OPTION_ALIAS))
                at.real = at.option;
            if (at.real && !(at.real->flags & OPTION_DOC) &&
                visit(&at, name, result))
                return 1;
        }
    }
    return 0;
}

static int has_letter(struct found *at, const void *name, void *result)
{
    if (__argp_short(at->option) != *(const int *)name)
        return 0;
    *(struct found *)result = *at;
    return 1;
}

/* A name up to its end or '='. */
struct name {
    const char *text;
    size_t size;
};

static int has_name(struct found *at, const void *name, void *result)
{
    const struct name *wanted = name;
    const char *option = at->option->name;

    if (!option || strlen(option) != wanted->size ||
        memcmp(option, wanted->text, wanted->size))
        return 0;
    *(struct found *)result = *at;
    return 1;
}

struct candidates {
    struct found first;
    int count, differ;
    FILE *list;
};

static int begins_so(struct found *at, const void *name, void *result)
{
    const struct name *wanted = name;
    struct candidates *all = result;
    const char *option = at->option->name;

    if (!option || strncmp(option, wanted->text, wanted->size))
        return 0;
    if (all->list)
        fprintf(all->list, " '--%s'", option);
    if (all->count++ == 0)
        all->first = *at;
    else if (at->group != all->first.group || at->real != all->first.real)
        all->differ = 1;
    return 0;
}

static int deliver(struct parse *parse, const struct found *found, char *value)
{
    int key = found->option->key ? found->option->key : found->real->key;
    error_t error = __argp_call(parse, found->group, key, value);

    if (error == ARGP_ERR_UNKNOWN && message(parse)) {
        FILE *stream = parse->state.err_stream;

        fprintf(stream, "%s: ", parse->state.name);
        if (found->option->name)
            fprintf(stream, "--%s", found->option->name);
        else
            fprintf(stream, "-%c", key);
        fputs(": (PROGRAM ERROR) Option should have been recognized!?\n",
              stream);
    }
    return error;
}

static int long_option(struct parse *parse, const char *dashes, char *word)
{
    struct argp_state *state = &parse->state;
    char *value = strchr(word, '=');
    struct name name = {word, value ? (size_t)(value - word) : strlen(word)};
    struct candidates all = {0};
    struct found found;

    if (!each(parse, has_name, &name, &found)) {
        each(parse, begins_so, &name, &all);
        if (all.count == 0 && message(parse))
            fprintf(state->err_stream, "%s: unrecognized option '%s%s'\n",
                    state->argv[0], dashes, word);
        if (all.differ && message(parse)) {
            fprintf(state->err_stream,
                    "%s: option '%s%s' is ambiguous; possibilities:",
                    state->argv[0], dashes, word);
            all.list = state->err_stream;
            each(parse, begins_so, &name, &all);
            fputc('\n', state->err_stream);
        }
        if (all.count == 0 || all.differ)
            return UNKNOWN;
        found = all.first;
    }
    if (value && !found.real->arg) {
        if (message(parse))
            fprintf(state->err_stream,
                    "%s: option '%s%s' doesn't allow an argument\n",
                    state->argv[0], dashes, found.option->name);
        return UNKNOWN;
    }
    if (value)
        return deliver(parse, &found, value + 1);
    if (!found.real->arg || found.real->flags & OPTION_ARG_OPTIONAL)
        return deliver(parse, &found, NULL);
    if (state->next < state->argc)
        return deliver(parse, &found, state->argv[state->next++]);
    if (message(parse))
        fprintf(state->err_stream, "%s: option '%s%s' requires an argument\n",
                state->argv[0], dashes, found.option->name);
    return UNKNOWN;
}

/* `next` goes on when a word's last letter is looked at. */
static void end_word(struct parse *parse)
{
    parse->rest = NULL;
    parse->state.next++;
}

static int letter_option(struct parse *parse)
{
    struct argp_state *state = &parse->state;
    int letter = (unsigned char)*parse->rest++;
    const char *rest = parse->rest;
    struct found found;

    if (!*rest)
        end_word(parse);
    if (!each(parse, has_letter, &letter, &found)) {
        if (message(parse))
            fprintf(state->err_stream, "%s: invalid option -- '%c'\n",
                    state->argv[0], letter);
        return UNKNOWN;
    }
    if (!found.real->arg)
        return deliver(parse, &found, NULL);
    if (*rest)
        end_word(parse);
    if (*rest)
        return deliver(parse, &found, (char *)rest);
    if (found.real->flags & OPTION_ARG_OPTIONAL)
        return deliver(parse, &found, NULL);
    if (state->next < state->argc)
        return deliver(parse, &found, state->argv[state->next++]);
    if (message(parse))
        fprintf(state->err_stream, "%s: option requires an argument -- '%c'\n",
                state->argv[0], letter);
    return UNKNOWN;
}

/* Whether the word -name, with one dash, is a long option. */
static int long_by_one_dash(struct parse *parse, const char *word)
{
    struct name name = {word + 1, strcspn(word + 1, "=")};
    struct candidates all = {0};
    int letter = (unsigned char)word[1];
    struct found found;

    if (!(parse->state.flags & ARGP_LONG_ONLY))
        return 0;
    if (each(parse, has_name, &name, &found))
        return 1;
    each(parse, begins_so, &name, &all);
    if (word[2] && (all.count || !each(parse, has_letter, &letter, &found)))
        return 1;
    return !word[2] && all.count && !each(parse, has_letter, &letter, &found);
}

/* Behind the options that have been handled since: the arguments before them. */
static void exchange(struct parse *parse)
{
    char **argv = parse->state.argv;
    int count = parse->passed_end - parse->passed;

    for (int at = parse->passed_end; count && at < parse->state.next; at++) {
        char *word = argv[at];

        memmove(argv + at - count + 1, argv + at - count,
                (size_t)count * sizeof word);
        argv[at - count] = word;
    }
    parse->passed = parse->state.next - count;
    parse->passed_end = parse->state.next;
}

static void end_options(struct parse *parse)
{
    struct argp_state *state = &parse->state;
    int quoted =
        state->next < state->argc && !strcmp(state->argv[state->next], "--");

    state->next += quoted;
    exchange(parse);
    state->next = parse->passed;
    parse->options_end = 1;
    if (quoted)
        state->quoted = state->next;
}

/* Handles the next option; ARGUMENT if an argument, or the end, is next. */
int __argp_next(struct parse *parse)
{
    struct argp_state *state = &parse->state;
    const char *word;

    if (parse->options_end)
        return ARGUMENT;
    if (parse->rest)
        return letter_option(parse);
    exchange(parse);
    while (!(state->flags & (ARGP_IN_ORDER | ARGP_NO_ARGS)) &&
           state->next < state->argc &&
           (*state->argv[state->next] != '-' || !state->argv[state->next][1]))
        parse->passed_end = ++state->next;
    word = state->next < state->argc ? state->argv[state->next] : "--";
    if (word[0] != '-' || !word[1]) {
        if (!(state->flags & ARGP_IN_ORDER))
            parse->options_end = 1;
        return ARGUMENT;
    }
    if (!strcmp(word, "--")) {
        end_options(parse);
        return ARGUMENT;
    }
    if (word[1] != '-' && !long_by_one_dash(parse, word)) {
        parse->rest = word + 1;
        return letter_option(parse);
    }
    state->next++;
    return word[1] == '-' ? long_option(parse, "--", (char *)word + 2)
                          : long_option(parse, "-", (char *)word + 1);
}
