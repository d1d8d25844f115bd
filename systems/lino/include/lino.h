/*
 * lino.h: commands on tiles, which read from one neighbour and write to
 * another, as if they were Unix commands between pipes.
 *
 * A program supplies its commands; which tile runs which, and where its input
 * and output are, says the layout that systems/lino/lino.py has made. Link
 * with -llino -lircce -lrcce.
 */
#ifndef LINO_H
#define LINO_H

#include <stdbool.h>
#include <stddef.h>

struct lino_command {
    const char *name;
    int (*run)(int argc, char **argv);
};

/* The number in a word, from `least` to `most`; false: it is none, and which
 * argument of which command it is has been said. */
bool lino_number(const char *command, const char *argument, const char *word,
                 long least, long most, long *value);
/* The whole program: prog [-q MICROSECONDS] [-f FILE | LAYOUT]. FILE: the
 * layout (/layout of the shared folder); LAYOUT: its lines, separated by
 * commas. `commands` ends with an empty name; `cat` is there anyway. */
int lino_main(int argc, char **argv, const struct lino_command *commands);

/* From the neighbour, the file or standard input; blocks for at least one
 * byte; 0 at the end. */
size_t lino_read(void *buffer, size_t most);
/* All of them or the end: how many came. */
size_t lino_read_all(void *buffer, size_t bytes);
void lino_write(const void *buffer, size_t bytes);
/* A command that computes lets the tile's relays have their time. */
void lino_pause(void);

#endif
