/*
 * RCCE_tables.c: what the library remembers of each UE.
 *
 * The tables are those of the SCC's 48 UEs; a job of more takes larger ones.
 */
#include "RCCE_lib.h"

struct many {
    int core_of[RCCE_MOST_UES];
    t_vcharp buffer[RCCE_MOST_UES];
    volatile uint32_t *lock_page[RCCE_MOST_UES];
    unsigned char lock_mine[RCCE_MOST_UES];
    unsigned char signals_out[RCCE_MOST_UES];
    unsigned char signals_in[RCCE_MOST_UES];
};

static int core_of[RCCE_MAXNP];
static t_vcharp buffer[RCCE_MAXNP];
static volatile uint32_t *lock_page[RCCE_MAXNP];
static unsigned char lock_mine[RCCE_MAXNP];
static unsigned char signals_out[RCCE_MAXNP];
static unsigned char signals_in[RCCE_MAXNP];

/* The original's names, which some programs use (private/RCCE_lib.h). */
extern int RC_COREID[RCCE_MAXNP] __attribute__((alias("core_of")));
extern t_vcharp RCCE_comm_buffer[RCCE_MAXNP] __attribute__((alias("buffer")));

int *rcce_core_of = core_of;
t_vcharp *rcce_buffer = buffer;
volatile uint32_t **rcce_lock_page = lock_page;
unsigned char *rcce_lock_mine = lock_mine;
unsigned char *rcce_signals_out = signals_out;
unsigned char *rcce_signals_in = signals_in;

int rcce_open_tables(int ues)
{
    if (ues <= RCCE_MAXNP || rcce_core_of != core_of)
        return 1;
    struct many *many = rcce_zero_pages(sizeof *many);
    if (!many)
        return 0;
    rcce_core_of = many->core_of;
    rcce_buffer = many->buffer;
    rcce_lock_page = many->lock_page;
    rcce_lock_mine = many->lock_mine;
    rcce_signals_out = many->signals_out;
    rcce_signals_in = many->signals_in;
    rcce_touch(many->core_of, sizeof many->core_of);
    rcce_touch(many->buffer, sizeof many->buffer);
    return 1;
}
