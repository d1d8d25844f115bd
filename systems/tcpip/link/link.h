/*
 * link.h: records between cores, each sent through the receive buffer of its
 * receiver.
 *
 * A receiver has one buffer for all senders, managed as a ring of blocks,
 * which the test-and-set register of its core guards. The buffer's description
 * (the board) is off-die and uncached in every variant; the data is uncached,
 * or of type MPBT off-die, or in the receiver's MPB. An idle receiver sleeps
 * until a sender rings: an interrupt that names the sender.
 *
 * Order: a core's accesses reach their targets in the order in which it made
 * them, once the write-combine buffer is empty (push); CL1INVMB is executed
 * before a record is read.
 */
#ifndef LINK_H
#define LINK_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "scc/job.h"
#include "scc/map.h"
#include "scc/mpb.h"
#include "scc/say.h"
#include "scc/time.h"
#include "tcpip.h"

#define NAME "tcpip"
#define MOST_RANKS SCC_CORES
#define RECORDS 128 /* capacity of `record`; ends need only this */
#define MOST_RECORDS (RECORDS - MOST_RANKS)

enum kind { KIND_IP, KIND_BYPASS, KIND_END, KINDS };
enum state { STATE_ABSENT, STATE_UP, STATE_ENDED };
enum bell { BELL_AWAKE, BELL_ASLEEP, BELL_RUNG };

/* The board: the description of a receiver's buffer; all zeros before the
 * receiver starts. Others write to it only while they hold its lock, except for
 * the description of a record, by which the record is announced. */
struct board {
    uint32_t given; /* by senders: records << 16 | next free line */
    uint32_t taken; /* by the owner, in the same form */
    uint32_t bell;
    uint32_t state;
    uint32_t wants[2]; /* ranks that wait for room, a bit each */
    uint32_t unused[2];
    uint32_t record[RECORDS]; /* descriptions; 0: not written yet */
};

/* A record that has arrived. */
struct record {
    int rank; /* of the sender */
    enum kind kind;
    const volatile uint8_t *data;
    size_t bytes;
};

/* The functions of a transport that the link calls for events. */
struct listener {
    void (*record)(const struct record *record);
    void (*ended)(int rank); /* the program on that core has ended */
    void (*room)(void);      /* another core's buffer may have room */
    void (*run)(void);       /* runs timers that are due */
    uint64_t (*due)(void);   /* time of the next, by scc_now_ns */
};

/* link_job.c */
int link_start(void); /* once; on failure ends the program */
extern int link_my_rank, link_ranks;
int link_core(int rank);

/* link_map.c: memory of the chip. */
struct variant {
    const char *name;
    enum scc_memory memory;
    int off_die;
    uint32_t bytes;
};
extern const struct variant *link_variant;
void link_choose(void);
volatile struct board *link_board(int rank);
volatile uint8_t *link_buffer(int rank);
void link_push(void);
size_t link_most(void); /* bytes of the largest record */

/* link_ring.c: sends a record. Returns 0, -EAGAIN (no room: `room` will be
 * called), or -EHOSTDOWN */
int link_put(int rank, enum kind kind, const struct iovec *parts, int count);
int link_look(struct record *record);
void link_taken(void);
/* True if the buffer of `rank` has room for the largest record; if not, its
 * owner will ring when there is room. */
int link_room(int rank);
/* The ranks that have found no room in this core's buffer, a bit each;
 * link_wanting also clears the set. */
uint64_t link_wants(void);
uint64_t link_wanting(void);

/* link_bell.c */
void link_bell_open(void);
void link_wake(int rank);
/* Sleeps until a ring, until time `until`, or until one of these files is
 * ready. Returns 0, or -EINTR: a signal came. */
struct pollfd;
int link_sleep(uint64_t until, struct pollfd *files, int count);

/* link_run.c */
void link_listen(enum kind kind, const struct listener *listener);
int link_run(void); /* does all pending work; returns how much */
int link_wait(uint64_t until, struct pollfd *files, int count);
/* Waits until a rank's buffer has room. Handles no records in the meantime. */
void link_await(int rank, uint64_t until);

/* link_end.c */
void link_guard(void (*leave)(void));
int link_ended(int rank); /* according to records received */
int link_gone(int rank);  /* checks the core itself */
void link_heard_end(int rank);

extern struct tcpip_counts link_counts;

#endif
