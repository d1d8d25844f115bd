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
 * for: with `original` a section less 12 bytes, with `improved` and `bells` 48
 * bytes and the free chunks of 128 bytes, at most 4,144.
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

/* Stores the rank and the size of the job; may be called before all other
 * functions. Returns 0, or -1 if the launcher's description is missing, names
 * a core above 47, or does not include this core. */
int rckmpi_job(int *rank, int *size);
/* The number of the core on which a rank of this job runs; -1 if the job has no
 * such rank. */
int rckmpi_core(int rank);

/* Opens the channel with this name (NULL: RCKMPI_CHANNEL of the environment,
 * else RCKMPI_DEFAULT_CHANNEL of the build) and connects all cores of the job.
 * Must be called once, before the functions below. An error is printed on
 * stderr by rank 0 and ends the program with exit code 64. */
void rckmpi_open(const char *name);
const char *rckmpi_channel(void); /* NULL before rckmpi_open */
/* The size of a section in bytes, including its metadata; 0 as long as this
 * core has no peer. */
size_t rckmpi_section_bytes(void);

/* From now on includes core `core` in each polling round; the cores of this job
 * are included already. Returns 1, or 0 if the channel cannot do that:
 * `original` supports only its own job. */
int rckmpi_connect(int core);
/* Calls rckmpi_connect for all cores that RCKMPI_UNIVERSE names: those that may
 * have a process at some time. Returns 1, or 0 after an error message. */
int rckmpi_listen(void);

/* Begins a round of polling: drops L1's copies of message buffers, and in every
 * 32nd round ends this process if another rank has ended the job. Then
 * rckmpi_next gives the peers of the round, and rckmpi_look is called once for
 * each of them. */
void rckmpi_round(void);
/* Returns the first connected peer, by core number from `core` on, whose
 * section must be read in this round (from rckmpi_round on); RCKMPI_MOST_RANKS
 * if there is none. The channel `bells` leaves out peers that have not rung. */
int rckmpi_next(int core);
/* Makes sure that this peer is checked in the next round. */
void rckmpi_wake(int core);
/* The state of a peer: the bits RCKMPI_ARRIVED and RCKMPI_FREE. A damaged
 * message (wrong checksum; not checked by `original`) ends the job with code
 * 70. */
unsigned rckmpi_look(int peer);
/* Ends a round in which this rank had nothing else to do. With
 * RCKMPI_WAIT=interrupts, this core sleeps after eight rounds in which nothing
 * was sent or had arrived, until another core has written to it. Without,
 * returns at once. */
void rckmpi_rest(void);

/* True if a message can be sent to the peer now. */
int rckmpi_free(int peer);
/* Sends the first bytes of the parts, as many as fit into one message; returns
 * how many: 0 if the last message is not acknowledged yet. */
size_t rckmpi_send(int peer, const struct iovec *parts, int count);
/* How many bytes of the peer's current message have not been taken yet. */
size_t rckmpi_arrived(int peer);
/* Takes the next bytes of the peer's message, at most rckmpi_arrived(peer);
 * after the last one, acknowledges the message to the peer. */
void rckmpi_receive(int peer, void *to, size_t bytes);

/* Ends this process, and those of the job and of the cores bound to it when
 * they next check, with the low 8 bits of `code` as exit code (1 if these are
 * 0). Exit handlers do not run, and this process's stdio is not flushed. */
void rckmpi_abort(int code) __attribute__((noreturn));
/* Sets whether rckmpi_abort by this process, or its end while guarded, ends the
 * process of core `core` too (`together` 1 or 0). The core's process must do
 * likewise for the other direction. The own job's cores are always bound. */
void rckmpi_bind(int core, int together);
/* From now until rckmpi_leave, the end of this process ends the job: by exit
 * with code 1, by a signal with 128 + its number. */
void rckmpi_guard(void);
void rckmpi_leave(void);

/* The number of this job: from 0 in the launch, from 64 if a program started
 * it. The number of cores in its universe, at least the size of the job. */
int rckmpi_job_number(void);
int rckmpi_universe_size(void);
/* Starts one new job, at most 48 processes, on free cores of the universe: in
 * reset, or waiting after an earlier process. Ranks are in the order of the
 * programs; the port goes to all. Waits up to 200 ms of simulated time in which
 * no process ends for enough cores. Returns 1; or 0 after an error message on
 * stderr, and nothing is started. */
struct rckmpi_program {
    const char *command; /* loaded by the launcher; folders do not count */
    const char *const *arguments; /* without the command; ends with NULL; NULL:
                                   * none */
    int processes;
    const char *folder; /* initial folder; NULL: / */
};
int rckmpi_start(const struct rckmpi_program *programs, int count,
                 const char *port);
/* Stores the port of the process that started this one, and binds the two;
 * returns 0 if none did. Ports have at most 255 characters. */
int rckmpi_parent_port(char *port, size_t bytes);
/* The number, from 0 within its job, of the program that this process runs; of
 * a launched process the number of its job. */
int rckmpi_program_number(void);

/* Called for each MPI message to or from this core, when its first packet is
 * sent or has come. Both do nothing: observers watch the calls. */
void rckmpi_message_sent(int core, size_t bytes, int tag, int context);
void rckmpi_message_came(int core, size_t bytes, int tag, int context);

/* Names under which ports are published, at most 64 on the chip. A name, not
 * empty, and a port have at most 255 characters: give room for 256. The
 * functions return 1; or 0 if the name is in use, empty or too long, or 64 are
 * in use (publish), or the name is unknown (the others). */
int rckmpi_publish(const char *service, const char *port);
int rckmpi_unpublish(const char *service);
int rckmpi_find_name(const char *service, char *port);

#ifdef __cplusplus
}
#endif

#endif
