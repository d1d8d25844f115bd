/*
 * rckmpi.h: byte streams between cores through the message passing buffers
 * (MPB), with the channels of [rckmpi-marc-2011]. No MPI is needed for it:
 * MPICH's channel (channel/) is written over it.
 *
 * The receiver's MPB has a section for each sender, which only that sender
 * writes (exclusive write section, EWS). A message is in a section from the
 * instant that its send sequence changes until the receiver writes the same
 * number as receive sequence into its own section at the sender: so all
 * polling is local. A message carries as much of the stream as there is room.
 */
#ifndef RCKMPI_H
#define RCKMPI_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RCKMPI_MOST_RANKS 48

/* A peer is known by the number of its core: a process may have peers of
 * other jobs, whose ranks begin at 0, too. What rckmpi_look finds: */
#define RCKMPI_ARRIVED 1 /* bytes that rckmpi_receive takes */
#define RCKMPI_FREE 2    /* the section at the peer takes another message */

/* Rank and size of the job, before anything else is done; 0, or -1 when the
 * launcher says nothing sensible. */
int rckmpi_job(int *rank, int *size);
/* The core of a rank of the own job. */
int rckmpi_core(int rank);

/* Opens the channel of this name (NULL: RCKMPI_CHANNEL of the environment,
 * else the default). Says on stderr what is wrong, and ends the program with
 * exit code 64 then. */
void rckmpi_open(const char *name);
const char *rckmpi_channel(void);
/* Bytes of a section, metadata of it included. */
size_t rckmpi_section_bytes(void);

/* From here on this core is looked at in each round; all of the own job are.
 * 0 if the channel cannot: `original` knows its job only. */
int rckmpi_connect(int core);
/* Connects to all cores of the chip that may have a process some day. */
int rckmpi_listen(void);

/* Begins a round of polling: what L1 holds of message buffers is forgotten,
 * and a job that another rank has ended ends here. */
void rckmpi_round(void);
/* The peers to look at in this round, from `core` on; RCKMPI_MOST_RANKS if
 * none is left. */
int rckmpi_next(int core);
/* This peer is to be looked at in the next round, whatever there is. */
void rckmpi_wake(int core);
/* What there is with a peer, once a round. */
unsigned rckmpi_look(int peer);
/* Ends a round of who has nothing else to do: with RCKMPI_WAIT=interrupts
 * this core may sleep until another one has written to it. */
void rckmpi_rest(void);

/* Whether a message may be sent now. */
int rckmpi_free(int peer);
/* Sends as much of the parts as one message takes; how much that is. */
size_t rckmpi_send(int peer, const struct iovec *parts, int count);
/* Bytes of the peer's current message that were not taken yet. */
size_t rckmpi_arrived(int peer);
/* Takes bytes of it; when the last is taken, the peer is told. */
void rckmpi_receive(int peer, void *to, size_t bytes);

/* Tells all peers to end with this code, and ends this rank. */
void rckmpi_abort(int code) __attribute__((noreturn));
/* Whether the end of a peer of another job is the end of this one, and the
 * other way. */
void rckmpi_bind(int core, int together);
/* From here on the end of this process ends the job, until rckmpi_leave. */
void rckmpi_guard(void);
void rckmpi_leave(void);

/* The number of the own job, in its universe of cores. */
int rckmpi_job_number(void);
int rckmpi_universe_size(void);
/* Starts processes on cores that are in reset, each program's behind each
 * other; they find the port. 0 if that cannot be, which is said on stderr. */
struct rckmpi_program {
    const char *command;
    const char *const *arguments; /* NULL at the end; or NULL */
    int processes;
    const char *folder; /* to begin in; NULL: / */
};
int rckmpi_start(const struct rckmpi_program *programs, int count,
                 const char *port);
/* The port of who has started this process; 0 if nobody has. */
int rckmpi_parent_port(char *port, size_t bytes);
/* Which of the programs of its job this process runs. */
int rckmpi_program_number(void);

/* An MPI message goes to this core, or has come from it: for who looks on. */
void rckmpi_message_sent(int core, size_t bytes, int tag, int context);
void rckmpi_message_came(int core, size_t bytes, int tag, int context);

/* Names of ports; 0 if the name is in use, or is not known. */
int rckmpi_publish(const char *service, const char *port);
int rckmpi_unpublish(const char *service);
int rckmpi_find_name(const char *service, char *port);

#ifdef __cplusplus
}
#endif

#endif
