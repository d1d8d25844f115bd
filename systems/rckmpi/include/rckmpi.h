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

/* A peer's number is the number of its core, because a process may have peers
 * of other jobs, in which ranks begin at 0 too. The bits of rckmpi_look's
 * result: */
#define RCKMPI_ARRIVED 1 /* rckmpi_receive can take bytes */
#define RCKMPI_FREE 2    /* a message can be sent to the peer */

/* Returns the rank and the size of the job; may be called before all other
 * functions. Returns 0, or -1 if the launcher's description is missing or
 * invalid. */
int rckmpi_job(int *rank, int *size);
/* The number of the core on which a rank of this job runs. */
int rckmpi_core(int rank);

/* Opens the channel with this name (NULL: RCKMPI_CHANNEL of the environment,
 * else the default). An error is printed on stderr and ends the program with
 * exit code 64. */
void rckmpi_open(const char *name);
const char *rckmpi_channel(void);
/* The size of a section in bytes, including its metadata. */
size_t rckmpi_section_bytes(void);

/* From now on includes core `core` in each polling round; the cores of this job
 * are included already. Returns 0 if the channel cannot do that: `original`
 * supports only its own job. */
int rckmpi_connect(int core);
/* Calls rckmpi_connect for all cores of the chip that may have a process at
 * some time. */
int rckmpi_listen(void);

/* Begins a round of polling: drops L1's copies of message buffers, and ends
 * this process if another rank has ended the job. */
void rckmpi_round(void);
/* Returns the first connected peer, by core number from `core` on, whose
 * section must be read in this round (from rckmpi_round on); RCKMPI_MOST_RANKS
 * if there is none. The channel `bells` leaves out peers that have not rung. */
int rckmpi_next(int core);
/* Makes sure that this peer is checked in the next round. */
void rckmpi_wake(int core);
/* The state of a peer: the bits RCKMPI_ARRIVED and RCKMPI_FREE. Call once in a
 * round. */
unsigned rckmpi_look(int peer);
/* Ends a round in which this rank had nothing else to do. With
 * RCKMPI_WAIT=interrupts, this core may sleep until another one has written to
 * it. */
void rckmpi_rest(void);

/* True if a message can be sent to the peer now. */
int rckmpi_free(int peer);
/* Sends the first bytes of the parts, as many as fit into one message; returns
 * how many. */
size_t rckmpi_send(int peer, const struct iovec *parts, int count);
/* How many bytes of the peer's current message have not been taken yet. */
size_t rckmpi_arrived(int peer);
/* Takes the next bytes of the peer's message; after the last one, acknowledges
 * the message to the peer. */
void rckmpi_receive(int peer, void *to, size_t bytes);

/* Ends the processes of all peers with this exit code, and this process. */
void rckmpi_abort(int code) __attribute__((noreturn));
/* Sets whether the end of core `core`'s process, which belongs to another job,
 * ends this process too, and vice versa (`together` 1 or 0). */
void rckmpi_bind(int core, int together);
/* From now until rckmpi_leave, the end of this process ends the job. */
void rckmpi_guard(void);
void rckmpi_leave(void);

/* The number of this job, and the number of cores in its universe. */
int rckmpi_job_number(void);
int rckmpi_universe_size(void);
/* Starts processes on cores that are in reset, in the order of the programs,
 * and passes them the port. Returns 0 after an error message on stderr. */
struct rckmpi_program {
    const char *command;
    const char *const *arguments; /* ends with NULL; or NULL */
    int processes;
    const char *folder; /* initial folder; NULL: / */
};
int rckmpi_start(const struct rckmpi_program *programs, int count,
                 const char *port);
/* The port of the process that started this one; returns 0 if none did. */
int rckmpi_parent_port(char *port, size_t bytes);
/* The number, within its job, of the program that this process runs. */
int rckmpi_program_number(void);

/* Called for each MPI message to or from this core, so that observers can
 * record it. */
void rckmpi_message_sent(int core, size_t bytes, int tag, int context);
void rckmpi_message_came(int core, size_t bytes, int tag, int context);

/* Names under which ports are published. The functions return 0 if the name is
 * in use already (publish), or unknown (the others). */
int rckmpi_publish(const char *service, const char *port);
int rckmpi_unpublish(const char *service);
int rckmpi_find_name(const char *service, char *port);

#ifdef __cplusplus
}
#endif

#endif
