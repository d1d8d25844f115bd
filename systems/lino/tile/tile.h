/* tile.h: the declarations that the files of a tile share. */
#ifndef LINO_TILE_H
#define LINO_TILE_H

#include "lino.h"

#include <stdbool.h>
#include <stdio.h>

enum { CHUNK = 4096, FIFO = 65536, NO_TILE = -1 };

/* pipe.c: a queue of bytes between a command and a relay. */
struct pipe {
    char bytes[FIFO];
    size_t first, count;
    bool closed;
};
size_t pipe_put(struct pipe *pipe, const void *bytes, size_t count);
size_t pipe_take(struct pipe *pipe, void *bytes, size_t most);

/* relay.c: moves bytes between a pipe of the command and the relay of a
 * neighbour. */
void relay_open(int source, int target);
extern struct pipe relay_in, relay_out;
/* Run a relay for the time slice of a process, or until it has to wait.
 * `hungry`: true if a command waits for input; the relay then returns as soon
 * as there is some. */
void relay_receive(bool hungry);
void relay_send(void);
bool relay_receiving(void);
bool relay_sending(void);
void relay_set_quantum(long microseconds);
bool relay_quantum_over(double since);
double relay_now(void);

/* layout.c */
enum { MOST_COMMANDS = 8, MOST_WORDS = 16, MOST_LINE = 128 };
struct end {
    int tile; /* NO_TILE: a file, or none */
    char file[MOST_LINE];
};
struct work {
    struct end source, target;
    int argc;
    char *argv[MOST_WORDS + 1];
    char line[MOST_LINE];
};
/* Reads the commands of tile `tile` from a layout into `work`. If the layout is
 * wrong, prints an error message and returns -1. */
int layout_read(FILE *from, int tile, int tiles, struct work *work);
FILE *layout_of_text(char *text);

#endif
