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
/* The words of an MPB's last line: 0 the end of the job (rckmpi_end.c: 0x10000
 * and its exit code; 0: none), 1 true while the rank sleeps (rckmpi_wait.c), 2
 * true if no process will follow (rckmpi_again.c), 6 the start word of a core
 * that leaves reset (rckmpi_start.c), 7 written to push the write-combine
 * buffer. */
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
/* The start word that a starting core reads: 1 plus the program's index among
 * those that the launcher loaded in the low bits, the job's number above. */
#define PROGRAM_BITS 8
#define PROGRAM_MASK ((1u << PROGRAM_BITS) - 1)

typedef volatile uint32_t mpb_word;

/* A position in the parts of the message that is being sent. */
struct cursor {
    const struct iovec *part; /* the part with the next byte */
    int count;                /* of parts, this one and those behind it */
    size_t offset;            /* of the next byte in `part` */
};

/* The state of the connection to a peer. Numbers of messages count modulo
 * 65,536 and begin at zero, as in the message buffers after the chip's start; a
 * later process of the core continues with those in the buffers. */
struct peer {
    volatile char *mine;   /* its section in this core's MPB */
    volatile char *theirs; /* this core's section in its MPB */
    volatile char *buffer; /* its general purpose section */
    /* The last message to the peer, acknowledged by it, and from it. */
    uint16_t sent, acknowledged, received;
    uint32_t numbers; /* of the section's last state (improved) */
    uint32_t chunks; /* of this core's section, in the unacknowledged message */
    size_t arrived, taken;   /* bytes of its message: not taken yet; taken */
    uint32_t arrived_chunks; /* of its section, in its message */
    uint32_t sum_left;       /* of the chunks' words not taken yet */
};

/* A channel's functions; those of rckmpi.h with these names say more. */
struct channel {
    const char *name;
    /* Finds the two sections of this core and core `core`, whose MPB is mapped;
     * returns 1, or 0 if there are none. */
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
/* The channel `bells` for a universe of `cores` cores: with up to 5, none of
 * them rings, and all sections are read in each round. Sets
 * rckmpi_sum_apart. */
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
/* Takes the next bytes of the peer's message, at most peer->arrived. If they
 * were the last, the caller must push the acknowledgement out of the
 * write-combine buffer. */
void rckmpi_improved_take(struct peer *peer, char *to, size_t bytes);

extern int rckmpi_my_rank, rckmpi_ranks, rckmpi_my_core; /* by rckmpi_job */
extern size_t rckmpi_section; /* bytes, with the metadata */
/* By core number: the state of the peer, and the address of its MPB on this
 * core (NULL: not mapped). */
extern struct peer rckmpi_peers[RCKMPI_MOST_RANKS];
extern volatile char *rckmpi_mpb[RCKMPI_MOST_RANKS];
/* By core number: the first connected core from it on, RCKMPI_MOST_RANKS if
 * there is none. The entry [RCKMPI_MOST_RANKS] is the last connected core plus
 * 1. */
extern uint8_t rckmpi_following[RCKMPI_MOST_RANKS + 1];
extern int rckmpi_connected; /* number of connected cores */

/* Maps the MPB of a core into this process, once; returns 0 if the kernel
 * refuses. */
int rckmpi_map(int core);
/* End this process, and those bound to it, if another rank has ended the job,
 * with its exit code. rckmpi_end_if_aborted checks at every 32nd call only,
 * rckmpi_end_if_told at each call. */
void rckmpi_end_if_aborted(void);
void rckmpi_end_if_told(void);
/* The end of this core's process: rckmpi_exits records the exit code with which
 * it is ending; after rckmpi_again_open, with RCKMPI_UNIVERSE, the core of a
 * started process waits after exit for a next one; rckmpi_end_badly ends the
 * process at once, without exit handlers, and no process follows. */
void rckmpi_again_open(void);
void rckmpi_exits(int code);
void rckmpi_end_badly(int code) __attribute__((noreturn));
/* Waiting: rckmpi_wait_open chooses polling or interrupts by RCKMPI_WAIT. With
 * interrupts, rckmpi_wait_map maps a peer's sleep word and pin, and
 * rckmpi_rouse, after a write to the peer, sets its pin if it sleeps.
 * rckmpi_stir records that this rank has sent or received something. */
void rckmpi_wait_open(void);
void rckmpi_wait_map(int core);
void rckmpi_rouse(int core);
void rckmpi_stir(void);
/* Reads numbers and ranges such as "0,10-12" into `numbers`, at most `most`, up
 * to the first word that is no number; returns how many were stored. */
int rckmpi_spans(const char *text, int *numbers, int most);
/* The number of this job. rckmpi_started returns it if a running program has
 * started the job, and otherwise 0; rckmpi_order_cores stores the cores of such
 * a job, by rank, and returns their number. */
extern int rckmpi_my_job;
int rckmpi_started(void);
int rckmpi_order_cores(int job, int *cores);
/* Prints an error message and a hint, on rank 0 only (or if the rank is not
 * known), and ends this process with exit code 64. */
void rckmpi_refuse(const char *what, const char *hint)
    __attribute__((noreturn));

/* Copies the next `lines` lines of a stream to the beginning of a line of an
 * MPB, with zeros after the stream's last byte; advances the cursor; returns
 * the sum of the words written. */
uint32_t rckmpi_put_lines(volatile char *to, struct cursor *from, size_t lines);
/* Copies the next bytes of a stream, up to `bytes`, to private memory, advances
 * the cursor and returns how many were copied: fewer at the stream's end. */
size_t rckmpi_gather(void *to, struct cursor *from, size_t bytes);
uint32_t rckmpi_sum(const volatile char *from, size_t lines); /* of words */

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
