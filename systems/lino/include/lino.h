/*
 * lino.h: commands on tiles, which read from one neighbour and write to
 * another, as if they were Unix commands between pipes.
 *
 * A program supplies its commands. The layout that systems/lino/lino.py has
 * made says which tile runs which command, and where its input and output are.
 * Link with -llino -lircce -lrcce.
 */
#ifndef LINO_H
#define LINO_H

#include <stdbool.h>
#include <stddef.h>

struct lino_command {
    const char *name;
    int (*run)(int argc, char **argv);
};

/* The number in a word, from `least` to `most`. Returns false if it is none,
 * after an error message that names command and argument. */
bool lino_number(const char *command, const char *argument, const char *word,
                 long least, long most, long *value);
/* Runs the whole program: prog [-q MICROSECONDS] [-f FILE | LAYOUT]. FILE: the
 * layout (default /layout of the shared folder); LAYOUT: its lines, separated
 * by commas. `commands` ends with an empty name; `cat` is always available. */
int lino_main(int argc, char **argv, const struct lino_command *commands);

/* Reads from the neighbour, the file or standard input; blocks for at least one
 * byte; returns 0 at the end. */
size_t lino_read(void *buffer, size_t most);
/* Reads all of the bytes, or up to the end; returns their number. */
size_t lino_read_all(void *buffer, size_t bytes);
void lino_write(const void *buffer, size_t bytes);
/* Gives time to the tile's relays; a command that computes must call it. */
void lino_pause(void);

#endif
