/* tile.h: the declarations that the files of a tile share. */
#ifndef LINO_TILE_H
#define LINO_TILE_H

#include "lino.h"

#include <stdbool.h>
#include <stdio.h>

/* Bytes of a message between relays, head included; bytes of a pipe. */
enum { CHUNK = 4096, FIFO = 65536, NO_TILE = -1 };

/* pipe.c: a queue of bytes between a command and a relay. */
struct pipe {
    char bytes[FIFO];
    size_t first, count;
    bool closed;
};
/* Both return how many bytes they moved: as many as there is room for; as many
 * as there are. */
size_t lino_pipe_put(struct pipe *pipe, const void *bytes, size_t count);
size_t lino_pipe_take(struct pipe *pipe, void *bytes, size_t most);

/* relay.c: moves bytes between a pipe of the command and the relay of a
 * neighbour. `source`, `target`: the neighbours, or NO_TILE. */
void lino_relay_open(int source, int target);
extern struct pipe lino_relay_in, lino_relay_out;
/* Run a relay, which polls for its neighbour, for a quantum of simulated time.
 * lino_relay_receive returns earlier at the stream's end, without room in its pipe,
 * and, if `hungry`, as soon as a message has come; lino_relay_send when nothing is
 * to be sent. */
void lino_relay_receive(bool hungry);
void lino_relay_send(void);
bool lino_relay_receiving(void); /* the input has not ended */
bool lino_relay_sending(void);   /* something is still to be sent */
void lino_relay_set_quantum(long microseconds);
bool lino_relay_quantum_over(
    double since);           /* since: a time by lino_relay_now */
double lino_relay_now(void); /* simulated seconds */

/* layout.c */
enum { MOST_COMMANDS = 8, MOST_WORDS = 16, MOST_LINE = 128 };
struct end {
    int tile;             /* NO_TILE: a file, or standard input or output */
    char file[MOST_LINE]; /* empty: none */
};
struct work {
    struct end source, target;
    int argc;
    char *argv[MOST_WORDS + 1];
    char line[MOST_LINE];
};
/* Reads the commands of tile `tile` from a layout into `work`, which has room
 * for MOST_COMMANDS + 1; returns their number. If the layout is wrong or empty,
 * prints an error message on tile 0 (of too many commands on the tile itself)
 * and returns -1. */
int lino_layout_read(FILE *from, int tile, int tiles, struct work *work);
/* A layout whose lines `text` contains, separated by commas, which become line
 * ends; NULL: no memory. */
FILE *lino_layout_of_text(char *text);

#endif
