/*
 * argp_parse.c: argp_parse(): a tree of parsers over one command line.
 */
#include "argp_lib.h"

#include <stdlib.h>
#include <string.h>

extern char *program_invocation_short_name;

/* Children that every parser has, with the given one: help, and a version if
 * the program has one. */
struct root {
    struct argp argp;
    struct argp_child children[4];
};

error_t __argp_call(struct parse *parse, struct group *group, int key,
                    char *arg)
{
    struct argp_state *state = &parse->state;
    error_t error;

    if (!group->argp->parser)
        return ARGP_ERR_UNKNOWN;
    state->hook = group->hook;
    state->input = group->input;
    state->child_inputs = group->child_inputs;
    state->arg_num = group->processed;
    error = group->argp->parser(key, arg, state);
    group->hook = state->hook;
    return error;
}

static void count(struct parse *parse, const struct argp *argp)
{
    parse->group_count++;
    for (const struct argp_child *child = argp->children; child && child->argp;
         child++) {
        parse->child_count++;
        count(parse, child->argp);
    }
}

static void fill(struct parse *parse, const struct argp *argp,
                 struct group *parent, unsigned index)
{
    struct group *group = &parse->groups[parse->group_count++];
    unsigned children = 0;

    *group =
        (struct group){.argp = argp, .parent = parent, .parent_index = index};
    while (argp->children && argp->children[children].argp)
        children++;
    if (children)
        group->child_inputs = parse->child_inputs + parse->child_count;
    parse->child_count += children;
    for (unsigned n = 0; n < children; n++)
        fill(parse, argp->children[n].argp, group, n);
}

/* Calls the parsers, the first or the last one first, until one fails. What a
 * parser does not know is no failure. */
static error_t call_all(struct parse *parse, int key, int backwards)
{
    error_t error = 0;

    for (size_t n = 0; n < parse->group_count && !error; n++) {
        size_t at = backwards ? parse->group_count - 1 - n : n;
        struct group *group = &parse->groups[at];

        if (key == ARGP_KEY_NO_ARGS && group->processed)
            continue;
        if (key == ARGP_KEY_INIT) {
            if (group->parent)
                group->input = group->parent->child_inputs[group->parent_index];
            if (!group->argp->parser && group->child_inputs)
                group->child_inputs[0] = group->input;
        }
        error = __argp_call(parse, group, key, NULL);
        if (error == ARGP_ERR_UNKNOWN)
            error = 0;
    }
    return error;
}

/* The argument at `next`, to the first parser that takes it. */
static error_t argument(struct parse *parse)
{
    struct argp_state *state = &parse->state;
    int index = state->next;
    error_t error = ARGP_ERR_UNKNOWN;

    for (size_t n = 0; n < parse->group_count && error == ARGP_ERR_UNKNOWN;
         n++) {
        struct group *group = &parse->groups[n];

        state->next = index + 1;
        error = __argp_call(parse, group, ARGP_KEY_ARG, state->argv[index]);
        if (error == ARGP_ERR_UNKNOWN) {
            state->next = index;
            error = __argp_call(parse, group, ARGP_KEY_ARGS, NULL);
            if (!error)
                state->next = state->argc;
        }
        if (!error && state->next > index)
            group->processed += (unsigned)(state->next - index);
        else if (!error)
            parse->options_end = 0; /* the parser went back */
    }
    return error;
}

static error_t words(struct parse *parse)
{
    struct argp_state *state = &parse->state;
    error_t error = 0;

    while (!error) {
        if (state->quoted && state->next < state->quoted)
            state->quoted = 0;
        error = __argp_next(parse);
        if (error != ARGUMENT)
            continue;
        if (state->next >= state->argc || state->flags & ARGP_NO_ARGS)
            return 0;
        error = argument(parse);
        parse->passed = parse->passed_end = state->next;
        if (error == ARGP_ERR_UNKNOWN)
            return 0;
    }
    return error;
}

static error_t finish(struct parse *parse, error_t error, int *end_index)
{
    struct argp_state *state = &parse->state;

    if (!error && state->next == state->argc) {
        error = call_all(parse, ARGP_KEY_NO_ARGS, 0);
        if (!error)
            error = call_all(parse, ARGP_KEY_END, 1);
    } else if (!error && !end_index) {
        if (!(state->flags & ARGP_NO_ERRS) && state->err_stream)
            fprintf(state->err_stream, "%s: Too many arguments\n", state->name);
        error = ARGP_ERR_UNKNOWN;
    }
    if (end_index)
        *end_index = state->next;
    if (!error) {
        error = call_all(parse, ARGP_KEY_SUCCESS, 1);
    } else {
        if (error == ARGP_ERR_UNKNOWN)
            argp_state_help(state, state->err_stream, ARGP_HELP_STD_ERR);
        call_all(parse, ARGP_KEY_ERROR, 0);
    }
    call_all(parse, ARGP_KEY_FINI, 1);
    return error == ARGP_ERR_UNKNOWN ? EINVAL : error;
}

static const struct argp *with_help(struct root *root, const struct argp *argp)
{
    int many = 0;

    if (argp)
        root->children[many++].argp = argp;
    root->children[many++].argp = &__argp_standard;
    if (argp_program_version || argp_program_version_hook)
        root->children[many++].argp = &__argp_version;
    root->argp.children = root->children;
    return &root->argp;
}

error_t argp_parse(const struct argp *argp, int argc, char **argv,
                   unsigned flags, int *end_index, void *input)
{
    static const struct argp nothing;
    struct root root = {0};
    struct parse parse = {0};
    struct argp_state *state = &parse.state;
    error_t error;
    char *slash;

    if (!(flags & ARGP_NO_HELP))
        argp = with_help(&root, argp);
    else if (!argp)
        argp = &nothing;
    count(&parse, argp);
    parse.groups = calloc(parse.group_count, sizeof *parse.groups);
    parse.child_inputs =
        calloc(parse.child_count + 1, sizeof *parse.child_inputs);
    if (!parse.groups || !parse.child_inputs) {
        free(parse.groups);
        free(parse.child_inputs);
        return ENOMEM;
    }
    parse.group_count = parse.child_count = 0;
    fill(&parse, argp, NULL, 0);
    parse.groups[0].input = input;
    *state = (struct argp_state){.root_argp = argp,
                                 .argc = argc,
                                 .argv = argv,
                                 .next = !(flags & ARGP_PARSE_ARGV0),
                                 .flags = flags,
                                 .err_stream = stderr,
                                 .out_stream = stdout,
                                 .pstate = &parse};
    parse.passed = parse.passed_end = state->next;
    state->name = argc > 0 && argv[0] ? argv[0] : program_invocation_short_name;
    slash = strrchr(state->name, '/');
    if (slash)
        state->name = slash + 1;
    error = call_all(&parse, ARGP_KEY_INIT, 0);
    if (state->next == 0) {
        /* As with GNU's: the program's name is no argument in either case. */
        state->next = parse.passed = parse.passed_end = 1;
    }
    if (!error)
        error = words(&parse);
    error = finish(&parse, error, end_index);
    free(parse.groups);
    free(parse.child_inputs);
    return error;
}
