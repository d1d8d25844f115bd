/*
 * argp_standard.c: --help, --usage and --version, and what programs set.
 */
#include "argp_lib.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEY_USAGE (-3)
#define KEY_NAME (-2)
#define KEY_HANG (-1)

extern char *program_invocation_name, *program_invocation_short_name;

/* Weak: a program defines those that it wants. */
__attribute__((weak)) const char *argp_program_version;
__attribute__((weak)) void (*argp_program_version_hook)(FILE *,
                                                        struct argp_state *);
__attribute__((weak)) const char *argp_program_bug_address;
__attribute__((weak)) error_t argp_err_exit_status = 64; /* EX_USAGE */

static void set_name(struct argp_state *state, char *path)
{
    char *slash = strrchr(path, '/');

    program_invocation_name = path;
    state->name = slash ? slash + 1 : path;
    program_invocation_short_name = state->name;
    if ((state->flags & (ARGP_PARSE_ARGV0 | ARGP_NO_ERRS)) == ARGP_PARSE_ARGV0)
        state->argv[0] = path;
}

static error_t standard(int key, char *arg, struct argp_state *state)
{
    switch (key) {
    case '?':
        argp_state_help(state, state->out_stream, ARGP_HELP_STD_HELP);
        return 0;
    case KEY_USAGE:
        argp_state_help(state, state->out_stream,
                        ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
        return 0;
    case KEY_NAME:
        set_name(state, arg);
        return 0;
    case KEY_HANG:
        sleep(arg ? (unsigned)atoi(arg) : 3600);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t version(int key, char *arg, struct argp_state *state)
{
    (void)arg;
    if (key != 'V')
        return ARGP_ERR_UNKNOWN;
    if (argp_program_version_hook)
        argp_program_version_hook(state->out_stream, state);
    else if (argp_program_version)
        fprintf(state->out_stream, "%s\n", argp_program_version);
    else
        argp_error(state, "(PROGRAM ERROR) No version known!?");
    if (!(state->flags & ARGP_NO_EXIT))
        exit(0);
    return 0;
}

static const struct argp_option standard_options[] = {
    {"help", '?', NULL, 0, "Give this help list", -1},
    {"usage", KEY_USAGE, NULL, 0, "Give a short usage message", 0},
    {"program-name", KEY_NAME, "NAME", OPTION_HIDDEN, "Set the program name",
     0},
    {"HANG", KEY_HANG, "SECS", OPTION_ARG_OPTIONAL | OPTION_HIDDEN,
     "Hang for SECS seconds (default 3600)", 0},
    {0},
};
static const struct argp_option version_options[] = {
    {"version", 'V', NULL, 0, "Print program version", -1},
    {0},
};

const struct argp __argp_standard = {.options = standard_options,
                                     .parser = standard};
const struct argp __argp_version = {.options = version_options,
                                    .parser = version};
