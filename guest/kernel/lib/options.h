/* What this run asks of the kernel: its command line, read once. */
#ifndef LIB_OPTIONS_H
#define LIB_OPTIONS_H

#include "lib/types.h"

/* Standard input: none, what a pipe or file holds, or what somebody types. */
enum { INPUT_NONE, INPUT_STREAM, INPUT_TERMINAL };

struct options {
    u32 core;          /* hardware core number */
    u32 rank;          /* this core's place in the list below */
    u32 core_count;    /* cores that take part */
    const char *cores; /* their numbers or ranges, separated by commas */
    u32 megahertz;
    u32 input; /* what standard input is */
    bool strace;
    bool share;
    char *mounts; /* names of more folders, each ended by a zero */
    u32 mount_count;
    bool chosen;     /* the program is that of boot/start.c, not the first */
    char *arguments; /* strings, each ended by a zero */
    u32 argument_count;
    char *environment;
    u32 environment_count;
};
extern struct options options;
void commandline_parse(const char *line);

/* boot/main.c: the program's path. */
extern char program_name[];

#endif
