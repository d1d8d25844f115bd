/*
 * rckmpi.h: byte streams between cores through the message-passing buffers
 * (MPB), with the channels of [rckmpi-marc-2011]. Needs no MPI: MPICH's channel
 * (channel/) uses it.
 *
 * The receiver's MPB has a section for each sender, which only that sender
 * writes (exclusive write section, EWS). A message is in a section from the
 * instant that its send sequence changes until the receiver writes the same
 * number as receive sequence into its own section at the sender. All polling is
 * therefore local. A message carries as much of the stream as there is room
 * for.
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

/* The number of a peer is that of its core, because a process may have peers of
 * other jobs, whose ranks begin at 0, too. The bits of rckmpi_look: */
#define RCKMPI_ARRIVED 1 /* bytes that rckmpi_receive takes */
#define RCKMPI_FREE 2    /* the section at the peer takes another message */

/* Rank and size of the job, before anything else is done. Returns 0, or -1 if
 * the launcher's description is missing or invalid. */
int rckmpi_job(int *rank, int *size);
/* The core of a rank of the own job. */
int rckmpi_core(int rank);

/* Opens the channel of this name (NULL: RCKMPI_CHANNEL of the environment, else
 * the default). After an error, prints it on stderr and ends the program with
 * exit code 64. */
void rckmpi_open(const char *name);
const char *rckmpi_channel(void);
/* Bytes of a section, including its metadata. */
size_t rckmpi_section_bytes(void);

/* Includes this core in each round from now on; all cores of the own job are
 * included. 0 if the channel cannot: `original` knows its job only. */
int rckmpi_connect(int core);
/* Connects to all cores of the chip that may have a process at any time. */
int rckmpi_listen(void);

/* Begins a round of polling: drops L1's copies of message buffers, and ends
 * this process if another rank has ended the job. */
void rckmpi_round(void);
/* The next peer to look at in this round, from `core` on; RCKMPI_MOST_RANKS if
 * none is left. */
int rckmpi_next(int core);
/* Makes this peer be looked at in the next round in any case. */
void rckmpi_wake(int core);
/* The state of a peer, once a round. */
unsigned rckmpi_look(int peer);
/* Ends a round in which this rank has nothing else to do: with
 * RCKMPI_WAIT=interrupts this core may sleep until another one has written to
 * it. */
void rckmpi_rest(void);

/* True if a message may be sent now. */
int rckmpi_free(int peer);
/* Sends as much of the parts as fits into one message; returns the bytes. */
size_t rckmpi_send(int peer, const struct iovec *parts, int count);
/* Bytes of the peer's current message that were not taken yet. */
size_t rckmpi_arrived(int peer);
/* Takes bytes of the message; after the last one, acknowledges it to the
 * peer. */
void rckmpi_receive(int peer, void *to, size_t bytes);

/* Makes all peers end with this code, and ends this rank. */
void rckmpi_abort(int code) __attribute__((noreturn));
/* Sets whether the end of a peer of another job ends this process, and vice
 * versa. */
void rckmpi_bind(int core, int together);
/* Makes the end of this process end the job, until rckmpi_leave. */
void rckmpi_guard(void);
void rckmpi_leave(void);

/* The number of the own job, and the number of cores in its universe. */
int rckmpi_job_number(void);
int rckmpi_universe_size(void);
/* Starts processes on cores that are in reset, in the order of the programs;
 * they find the port. 0 after an error message on stderr. */
struct rckmpi_program {
    const char *command;
    const char *const *arguments; /* NULL at the end; or NULL */
    int processes;
    const char *folder; /* to begin in; NULL: / */
};
int rckmpi_start(const struct rckmpi_program *programs, int count,
                 const char *port);
/* The port of the process that has started this one; 0 if none has. */
int rckmpi_parent_port(char *port, size_t bytes);
/* The number of the program of its job that this process runs. */
int rckmpi_program_number(void);

/* Called for an MPI message to this core, or from it, for observers. */
void rckmpi_message_sent(int core, size_t bytes, int tag, int context);
void rckmpi_message_came(int core, size_t bytes, int tag, int context);

/* Names of ports; 0 if the name is in use, or unknown. */
int rckmpi_publish(const char *service, const char *port);
int rckmpi_unpublish(const char *service);
int rckmpi_find_name(const char *service, char *port);

#ifdef __cplusplus
}
#endif

#endif
