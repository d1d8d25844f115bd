/*
 * rckmpi_main.c: how a process begins and ends. One that another has started
 * takes its arguments from the board: its kernel does not know them.
 */
#include "rckmpi_board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The arguments of a process that was started: those of its program. */
static char **own_words(char *name, int *count)
{
    static char words[sizeof((struct order *)0)->words];
    static char *list[sizeof words / 2];
    struct order *order = rckmpi_order(rckmpi_board(), rckmpi_my_job);
    char *at = words;

    rckmpi_board_copy(words, order->words, sizeof words);
    for (uint32_t n = order->program[rckmpi_my_rank]; n > 0; n--)
        at = memchr(at, PROGRAM_END, sizeof words - (size_t)(at - words)) + 1;
    rckmpi_board_leave();
    if (*at && chdir(at) != 0)
        fprintf(stderr, "rckmpi: core %d cannot enter %s\n", rckmpi_my_core,
                at);
    at += strlen(at) + 1;
    list[0] = name;
    for (*count = 1; *at != PROGRAM_END; at += strlen(at) + 1)
        list[(*count)++] = at;
    return list;
}

/* Where the launcher wants a process to begin that it has started itself. */
static void enter_folder(void)
{
    const char *folder = getenv("RCKMPI_WDIR");
    char what[100];

    if (!folder || chdir(folder) == 0)
        return;
    snprintf(what, sizeof what, "cannot enter the folder '%.60s'", folder);
    rckmpi_refuse(what, "--wdir names one below that of --share");
}

void __real_exit(int code) __attribute__((noreturn));
void __wrap_exit(int code) __attribute__((noreturn));

/* `rck mpicc` links programs so that they end here, by exit or from main. */
void __wrap_exit(int code)
{
    rckmpi_exits(code);
    __real_exit(code);
}

int __real_main(int count, char **words, char **environment);
int __wrap_main(int count, char **words, char **environment);

/* `rck mpicc` links programs so that they begin here. */
int __wrap_main(int count, char **words, char **environment)
{
    int rank, size, started = 0;

    if (getenv("RCKMPI_UNIVERSE") && rckmpi_job(&rank, &size) == 0) {
        rckmpi_again_open();
        started = rckmpi_my_job >= FIRST_STARTED;
    }
    if (started)
        words = own_words(words[0], &count);
    else
        enter_folder();
    return __real_main(count, words, environment);
}
