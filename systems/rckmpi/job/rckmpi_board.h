/*
 * rckmpi_board.h: data that all jobs of a chip share, in the last pages of the
 * shared memory: the use of each core, orders for started processes, published
 * names. The memory is uncached, initially zero, and guarded by a test-and-set
 * register.
 */
#ifndef RCKMPI_BOARD_H
#define RCKMPI_BOARD_H

#include "../rckmpi_private.h"

#define NAME_BYTES 256
#define MOST_NAMES 64
#define MOST_ORDERS 64
/* The byte after the zero of a program's last argument; the zero of its folder
 * if it has none. Ends the list of arguments. */
#define PROGRAM_END '\x1e'

/* An order to start a job: its processes, and the words of each program. */
struct order {
    uint32_t processes, programs;
    uint32_t left;                    /* processes that have not ended */
    uint32_t core[RCKMPI_MOST_RANKS]; /* by rank */
    uint32_t
        program[RCKMPI_MOST_RANKS]; /* by rank: index from 0 in the order */
    uint32_t starter;               /* the core that started it */
    char port[NAME_BYTES];          /* port of the starter */
    char words[3072]; /* by program: folder, arguments, PROGRAM_END */
};

struct board {
    uint32_t orders; /* the next order's number, counted from 0 */
    uint32_t begun;  /* processes that orders have started */
    uint32_t ended;  /* ended processes, with the launch's */
    /* By core: `used`, it has a process, or ended in a way that lets none
     * follow; `waits`, its process has ended and it waits for the next one;
     * `code`, the first exit code of its started processes that is not 0. */
    uint32_t used[RCKMPI_MOST_RANKS], waits[RCKMPI_MOST_RANKS];
    uint32_t code[RCKMPI_MOST_RANKS];
    struct name {
        char service[NAME_BYTES], port[NAME_BYTES];
    } names[MOST_NAMES];
    struct order order[MOST_ORDERS];
};

/* Takes the board's lock (the test-and-set register of core 0), polling until
 * it is free, and returns the board; rckmpi_board_leave releases the lock. */
struct board *rckmpi_board(void);
void rckmpi_board_leave(void);
/* The order of a job that a program started: its number is FIRST_STARTED or
 * more; every 64th order takes the place of an ended one. */
struct order *rckmpi_order(struct board *board, int job);
/* Copies `bytes` bytes, rounded up to whole words of 4 bytes, to or from the
 * board; both addresses are multiples of 4. */
void rckmpi_board_copy(void *to, const void *from, size_t bytes);

#endif
