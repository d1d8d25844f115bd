/*
 * rckmpi.h: byte streams between the ranks of an MPI job through the message
 * passing buffers (MPB), with the channels of [rckmpi-marc-2011]. No MPI is needed
 * for it: MPICH's channel (channel/) is written over it.
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

/* What rckmpi_look finds. */
#define RCKMPI_ARRIVED 1 /* bytes that rckmpi_receive takes */
#define RCKMPI_FREE 2    /* the section at the peer takes another message */

/* Rank and size of the job, before anything else is done; 0, or -1 when the
 * launcher says nothing sensible. */
int rckmpi_job(int *rank, int *size);
/* The core of a rank. */
int rckmpi_core(int rank);

/* Opens the channel of this name (NULL: RCKMPI_CHANNEL of the environment,
 * else the default). Says on stderr what is wrong, and ends the program with
 * exit code 64 then. */
void rckmpi_open(const char *name);
const char *rckmpi_channel(void);
/* Bytes of a section, metadata of it included. */
size_t rckmpi_section_bytes(void);

/* Begins a round of polling: what L1 holds of message buffers is forgotten,
 * and a job that another rank has ended ends here. */
void rckmpi_round(void);
/* The ranks to look at in this round, from `rank` on; `size` if none is left.
 */
int rckmpi_next(int rank);
/* What there is with a peer, once a round. */
unsigned rckmpi_look(int peer);

/* Whether a message may be sent now. */
int rckmpi_free(int peer);
/* Sends as much of the parts as one message takes; how much that is. */
size_t rckmpi_send(int peer, const struct iovec *parts, int count);
/* Bytes of the peer's current message that were not taken yet. */
size_t rckmpi_arrived(int peer);
/* Takes bytes of it; when the last is taken, the peer is told. */
void rckmpi_receive(int peer, void *to, size_t bytes);

/* Tells all others to end with this code, and ends this rank. */
void rckmpi_abort(int code) __attribute__((noreturn));
/* From here on the end of this process ends the job, until rckmpi_leave. */
void rckmpi_guard(void);
void rckmpi_leave(void);

#ifdef __cplusplus
}
#endif

#endif
