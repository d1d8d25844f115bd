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
#define MOST_RECORDS (RECORDS - MOST_RANKS) /* in a buffer, without ends */

/* Records: a packet of the stack, one of the bypass, the program's end. */
enum kind { KIND_IP, KIND_BYPASS, KIND_END, KINDS };
/* A receiver's program: not started, running, ended. */
enum state { STATE_ABSENT, STATE_UP, STATE_ENDED };
/* A receiver: runs; sleeps or is about to; has been rung since. */
enum bell { BELL_AWAKE, BELL_ASLEEP, BELL_RUNG };

/* The board: the description of a receiver's buffer; all zeros before the
 * receiver starts. Others write to it only while they hold its lock, except for
 * the description of a record, by which the record is announced. */
struct board {
    uint32_t given;    /* by senders: records << 16 | next free line */
    uint32_t taken;    /* by the owner, in the same form */
    uint32_t bell;     /* enum bell */
    uint32_t state;    /* enum state */
    uint32_t wants[2]; /* ranks that wait for room, a bit each */
    uint32_t unused[2];
    uint32_t record[RECORDS]; /* descriptions, by number; 0: not written yet */
};

/* A record that has arrived. Its data is in this core's buffer, and valid until
 * tcpip_link_taken. */
struct record {
    int rank; /* of the sender */
    enum kind kind;
    const volatile uint8_t *data;
    size_t bytes;
};

/* The functions of a transport that the link calls for events, always inside a
 * call of the program. */
struct listener {
    void (*record)(const struct record *record); /* one of its kind has come */
    void (*ended)(int rank); /* the program on that core has ended */
    void (*room)(void);      /* another core's buffer may have room */
    void (*run)(void);       /* runs timers that are due */
    uint64_t (*due)(void);   /* time of the next, by scc_now_ns; or SCC_NEVER */
};

/* link_job.c */
int tcpip_link_start(
    void); /* starts the link once; returns 0, or ends the program */
extern int tcpip_link_my_rank, tcpip_link_ranks; /* by tcpip_link_start */
int tcpip_link_core(int rank);

/* link_map.c: memory of the chip. */
struct variant { /* of receive buffers */
    const char *name;
    enum scc_memory memory;
    int off_die;    /* 0: in the receiver's MPB */
    uint32_t bytes; /* of a receiver's buffer */
};
extern const struct variant *tcpip_link_variant; /* the one in use */
void tcpip_link_choose(void);                    /* sets it, by TCPIP_BUFFERS */
volatile struct board *tcpip_link_board(int rank); /* maps at the first call */
volatile uint8_t *tcpip_link_buffer(int rank);     /* maps at the first call */
void tcpip_link_push(
    void); /* empties the write-combine buffer, if it is used */
size_t
tcpip_link_most(void); /* bytes of the largest record: half a buffer less 32 */

/* link_ring.c: sends a record of at most tcpip_link_most() bytes and wakes the
 * receiver. Returns 0, -EAGAIN (no room: the listeners' `room` will be called),
 * or -EHOSTDOWN (the receiver's program has ended). */
int tcpip_link_put(int rank, enum kind kind, const struct iovec *parts,
                   int count);
/* If a record has come that is not taken, stores it and returns 1; otherwise
 * returns 0. tcpip_link_taken frees its memory: call once after each. */
int tcpip_link_look(struct record *record);
void tcpip_link_taken(void);
/* True if the buffer of `rank` has room for the largest record, or the rank has
 * ended; if not, the owner will ring when there is room. */
int tcpip_link_room(int rank);
/* The ranks in whose buffers this core has found no room since the last call of
 * tcpip_link_wanting, a bit each; tcpip_link_wanting also clears the set. */
uint64_t tcpip_link_wants(void);
uint64_t tcpip_link_wanting(void);

/* link_bell.c */
void tcpip_link_bell_open(
    void); /* ends the program if there are no interrupts */
void tcpip_link_wake(int rank); /* interrupts the core if its bell is asleep */
/* Sleeps until a ring, until time `until` (by scc_now_ns; SCC_NEVER), or until
 * one of these files is ready. Returns 0, or -EINTR: a signal came. */
struct pollfd;
int tcpip_link_sleep(uint64_t until, struct pollfd *files, int count);

/* link_run.c */
/* Sets the listener for a kind of records. */
void tcpip_link_listen(enum kind kind, const struct listener *listener);
/* Handles records that have come (at most RECORDS), due timers, and sends that
 * lacked room. Returns the number of records, and 1 more if a buffer that had
 * no room has some. */
int tcpip_link_run(void);
/* As tcpip_link_run; if nothing was to be done, sleeps as tcpip_link_sleep does, or until
 * the next timer is due, and then does all that is pending. Returns as
 * tcpip_link_sleep. */
int tcpip_link_wait(uint64_t until, struct pollfd *files, int count);
/* Waits until a rank's buffer has room or time `until`. Handles no records in
 * the meantime. */
void tcpip_link_await(int rank, uint64_t until);

/* link_end.c */
/* From now on the end of this program, by exit or by a signal, is announced to
 * all other cores; at exit `leave` is called before. */
void tcpip_link_guard(void (*leave)(void));
int tcpip_link_ended(int rank); /* as far as this core knows */
int tcpip_link_gone(
    int rank); /* tcpip_link_ended, after a look at the rank's board */
void tcpip_link_heard_end(int rank); /* makes tcpip_link_ended(rank) true */

extern struct tcpip_counts tcpip_link_counts;

#endif
