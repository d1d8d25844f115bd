/*
 * rckmpi_again.c: cores that are used again. A process that another one has
 * started and that has ended well does not end for its kernel: its core says
 * on the board that it is free, and waits for the next order in its control
 * line; then the program, or another one, takes its place (execve). The last
 * process of the universe sends those home that wait.
 */
#include "rckmpi_board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILES_MOST 256

static int exit_code;

void rckmpi_exits(int code)
{
    exit_code = code;
}

static void send_home(struct board *board)
{
    for (int core = 0; core < RCKMPI_MOST_RANKS; core++)
        if (board->waits[core] && rckmpi_map(core)) {
            rckmpi_control(core)[CONTROL_HOME] = 1;
            push_wcb();
            rckmpi_wait_map(core);
            rckmpi_rouse(core);
        }
}

/* This process is at its end; whether another may follow it. */
static int leave_universe(int well)
{
    int follows = 0, first[RCKMPI_MOST_RANKS];
    const char *launched = getenv("RCKMPI_LAUNCHED");
    int begun = launched ? rckmpi_spans(launched, first, RCKMPI_MOST_RANKS) : 0;
    int started = rckmpi_my_job >= FIRST_STARTED;
    struct board *board = rckmpi_board();

    board->ended++;
    if (started) {
        rckmpi_order(board, rckmpi_my_job)->left--;
        if (!board->code[rckmpi_my_core])
            board->code[rckmpi_my_core] = (uint32_t)exit_code & 0xff;
        exit_code = (int)board->code[rckmpi_my_core];
    }
    if (board->ended == (uint32_t)begun + board->begun)
        send_home(board);
    else if (started && well) {
        follows = 1;
        board->waits[rckmpi_my_core] = 1;
        board->used[rckmpi_my_core] = 0;
    }
    rckmpi_board_leave();
    return follows;
}

/* Until there is another order than the last; 0 if there will be none. */
static uint32_t wait_for_order(uint32_t last)
{
    mpb_word *own = rckmpi_control(rckmpi_my_core);

    for (;;) {
        scc_cl1invmb();
        if (own[CONTROL_HOME])
            return 0;
        if (own[CONTROL_START] != last)
            return own[CONTROL_START];
        rckmpi_rest();
    }
}

static void become(uint32_t word)
{
    const char *known = getenv("RCKMPI_PROGRAMS");
    uint32_t place = (word & PROGRAM_MASK) - 1;
    char name[256];

    for (; known && place > 0; place--)
        known = strchr(known, ',') ? strchr(known, ',') + 1 : NULL;
    snprintf(name, sizeof name, "%.*s", known ? (int)strcspn(known, ",") : 0,
             known ? known : "");
    for (int file = 3; file < FILES_MOST; file++)
        close(file);
    *(mpb_word *)(rckmpi_mpb[rckmpi_my_core] + UNUSED_OFFSET) = 0;
    char *words[] = {name, NULL};
    execve(name, words, environ);
    fprintf(stderr, "rckmpi: core %d cannot run '%s'\n", rckmpi_my_core, name);
}

static void end_well(void)
{
    uint32_t word = rckmpi_control(rckmpi_my_core)[CONTROL_START];

    fflush(NULL);
    if (leave_universe(1) && (word = wait_for_order(word)) != 0)
        become(word);
    _exit(exit_code);
}

/* Registered first, so that all else that is to be done at the end comes
 * before it. */
void rckmpi_again_open(void)
{
    if (getenv("RCKMPI_UNIVERSE") && rckmpi_map(rckmpi_my_core))
        atexit(end_well);
}

void rckmpi_end_badly(int code)
{
    exit_code = code;
    if (getenv("RCKMPI_UNIVERSE"))
        leave_universe(0);
    _exit(exit_code);
}
