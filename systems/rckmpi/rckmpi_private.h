/*
 * rckmpi_private.h: the declarations that the files of the library share.
 *
 * Rules for message buffers, which all files obey: execute CL1INVMB
 * (rckmpi_round) before reading lines that others write; write to, or read
 * from, another core's section or buffer, but never both; store the word that
 * announces a message last, and then store to another line, which pushes the
 * write-combine buffer.
 */
#ifndef RCKMPI_PRIVATE_H
#define RCKMPI_PRIVATE_H

#include "rckmpi.h"
#include "scc/mpb.h"

#define RCKMPI_NAME "rckmpi"

#define LINE SCC_LINE_SIZE
#define MPB_BYTES 8192u
/* The words of an MPB's last line: 0 the end of the job (rckmpi_end.c), 1 true
 * while the rank sleeps (rckmpi_wait.c), 2 true if no process will follow
 * (rckmpi_again.c), 6 the start word of a core that leaves reset
 * (rckmpi_start.c), 7 written to push the write-combine buffer. */
#define CONTROL_OFFSET (MPB_BYTES - LINE)
#define CONTROL_END 0
#define CONTROL_ASLEEP 1
#define CONTROL_HOME 2
#define CONTROL_START 6

/* Jobs with a lower number were started by the launcher; others by a running
 * program. */
#define FIRST_STARTED 64
/* The offset of a line of an MPB that no core reads. */
#define UNUSED_OFFSET (CONTROL_OFFSET - LINE)
/* The start word that a starting core reads: 1 plus the program's index in the
 * low bits, the job's number in the bits above. */
#define PROGRAM_BITS 8
#define PROGRAM_MASK ((1u << PROGRAM_BITS) - 1)

typedef volatile uint32_t mpb_word;

/* A position in the parts of the message that is being sent. */
struct cursor {
    const struct iovec *part;
    int count;
    size_t offset; /* in the first part */
};

/* The state of the connection to a peer: numbers of messages in both
 * directions, and what remains of the current one. All begin at zero, as the
 * message buffers do: a core runs one process. */
struct peer {
    volatile char *mine;   /* its section in this core's MPB */
    volatile char *theirs; /* this core's section in its MPB */
    volatile char *buffer; /* its general purpose section */
    uint16_t sent, acknowledged, received;
    uint32_t numbers; /* of the section's last state (improved) */
    uint32_t chunks;  /* of this core's section, on their way */
    size_t arrived, taken;
    uint32_t arrived_chunks;
    uint32_t sum_left; /* of the chunks' words not taken yet */
};

struct channel {
    const char *name;
    /* Finds the two sections of this core and core `core`; returns 0 if there
     * are none. */
    int (*connect)(int core);
    unsigned (*look)(struct peer *peer);
    size_t (*send)(struct peer *peer, struct cursor *from, size_t total);
    void (*receive)(struct peer *peer, char *to, size_t bytes);
    /* By which a round of polling finds the peers that may have news, as
     * rckmpi_round, rckmpi_next and rckmpi_wake describe. NULL: every round
     * checks all connected peers. */
    void (*round)(void);
    int (*next)(int core);
    void (*wake)(int core);
};

extern const struct channel rckmpi_original, rckmpi_improved, rckmpi_bells;
/* The channel `bells`, with as many bells as `cores` cores need. */
const struct channel *rckmpi_bells_among(int cores);

/* The improved channel without its last push, which bells do themselves. With
 * rckmpi_sum_apart, the metadata has one sum for the section and another one
 * for the chunks; the second is computed while chunks are taken, not before.
 */
extern int rckmpi_sum_apart;
int rckmpi_improved_connect(int core);
unsigned rckmpi_improved_look(struct peer *peer);
size_t rckmpi_improved_send(struct peer *peer, struct cursor *from,
                            size_t total);
/* Takes the next bytes of the peer's message. If they were the last, the caller
 * must push the acknowledgement out of the write-combine buffer. */
void rckmpi_improved_take(struct peer *peer, char *to, size_t bytes);

extern int rckmpi_my_rank, rckmpi_ranks, rckmpi_my_core;
extern size_t rckmpi_section;
/* For each core, the state of the peer, and the address of its MPB on this
 * core. */
extern struct peer rckmpi_peers[RCKMPI_MOST_RANKS];
extern volatile char *rckmpi_mpb[RCKMPI_MOST_RANKS];
/* For each core number, the first connected core from it on; the entry
 * [RCKMPI_MOST_RANKS] ends the search. */
extern uint8_t rckmpi_following[RCKMPI_MOST_RANKS + 1];
extern int rckmpi_connected; /* number of connected cores */

/* Maps the MPB of a core into this process; returns 0 if the kernel refuses. */
int rckmpi_map(int core);
/* End this process if another rank has ended the job. rckmpi_end_if_aborted
 * checks only from time to time, rckmpi_end_if_told at each call. */
void rckmpi_end_if_aborted(void);
void rckmpi_end_if_told(void);
/* The end of this core's process: rckmpi_exits records the exit code with which
 * it is ending, rckmpi_again_open lets the core wait for a next process
 * afterwards; rckmpi_end_badly ends the process at once. */
void rckmpi_again_open(void);
void rckmpi_exits(int code);
void rckmpi_end_badly(int code) __attribute__((noreturn));
/* Waiting: rckmpi_wait_open chooses polling or interrupts; rckmpi_wait_map
 * maps a peer's sleep word and pin; rckmpi_rouse wakes a peer; rckmpi_stir
 * records that this rank saw news. */
void rckmpi_wait_open(void);
void rckmpi_wait_map(int core);
void rckmpi_rouse(int core);
void rckmpi_stir(void);
/* Reads numbers and ranges such as "0,10-12" into `numbers`; returns how many
 * there are. */
int rckmpi_spans(const char *text, int *numbers, int most);
/* The number of this job. rckmpi_started returns true if a running program has
 * started it; rckmpi_order_cores then returns its cores, by rank. */
extern int rckmpi_my_job;
int rckmpi_started(void);
int rckmpi_order_cores(int job, int *cores);
/* Ends the program with an error message and a hint. */
void rckmpi_refuse(const char *what, const char *hint)
    __attribute__((noreturn));

/* Copies whole lines of a stream to an MPB, with zeros after the last byte;
 * returns the sum of their words. */
uint32_t rckmpi_put_lines(volatile char *to, struct cursor *from, size_t lines);
/* Copies the next bytes of a stream, up to `bytes`, to private memory; returns
 * how many were copied. */
size_t rckmpi_gather(void *to, struct cursor *from, size_t bytes);
uint32_t rckmpi_sum(const volatile char *from, size_t lines);

/* The control line of a core, whose MPB must be mapped. */
static inline mpb_word *rckmpi_control(int core)
{
    return (mpb_word *)(rckmpi_mpb[core] + CONTROL_OFFSET);
}

static inline void push_wcb(void)
{
    scc_push(&rckmpi_control(rckmpi_my_core)[7]);
}

static inline void put_words(volatile char *to, const uint32_t *from, int words)
{
    for (int n = 0; n < words; n++)
        ((mpb_word *)to)[n] = from[n];
}

#endif
