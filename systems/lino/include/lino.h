/*
 * lino.h: commands that run on tiles. A command reads from one neighbour and
 * writes to another, like a Unix command between pipes.
 *
 * A program supplies its commands. A layout, made by systems/lino/lino.py,
 * assigns commands to tiles and gives each its input and output. Link with
 * -llino -lircce -lrcce.
 */
#ifndef LINO_H
#define LINO_H

#include <stdbool.h>
#include <stddef.h>

struct lino_command {
    const char *name;
    int (*run)(int argc, char **argv); /* as main; returns the exit code */
};

/* Reads a decimal number from `word`, which is the argument named `argument` of
 * `command`, into `value`. If it is none from `least` to `most`, or `word` is
 * NULL, prints an error message and returns false. */
bool lino_number(const char *command, const char *argument, const char *word,
                 long least, long most, long *value);
/* Runs the whole program: prog [-q MICROSECONDS] [-f FILE | LAYOUT]. FILE: the
 * file with the layout (default /layout of the shared folder); LAYOUT: its
 * lines, separated by commas; -q: the turn of a command or relay in simulated
 * microseconds (default 1000). `commands` ends with name NULL; `cat` is always
 * available. Returns the exit code: 2 for a wrong layout, else the bitwise OR
 * of the codes of this tile's commands. A command that does not exist counts as
 * 127, one whose file cannot be opened as 1. */
int lino_main(int argc, char **argv, const struct lino_command *commands);

/* Reads up to `most` bytes from the neighbour, the file or standard input.
 * Blocks until there is at least one byte; returns how many were read, 0 at the
 * end of the input. */
size_t lino_read(void *buffer, size_t most);
/* Reads `bytes` bytes, or fewer if the input ends; returns their number. */
size_t lino_read_all(void *buffer, size_t bytes);
/* Writes to the neighbour, the file or standard output; waits while a queue of
 * 64 KB to the neighbour is full. */
void lino_write(const void *buffer, size_t bytes);
/* Whether lino_write writes to a file. */
bool lino_writes_file(void);
/* Lets the tile's relays (which pass bytes between the command and the
 * neighbours) run. A command that computes for long must call lino_pause. */
void lino_pause(void);

#endif
