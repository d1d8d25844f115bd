/*
 * RCCE.h: the message-passing interface of the SCC, version 2.0.
 *
 * Names, types and values are those of the published interface
 * (rcce-2010), so a program written for the chip
 * compiles unchanged. The code behind them is this project's own.
 *
 * Build switches, given to the compiler with -D:
 *   GORY                 explicit message buffers and flags
 *   SINGLEBITFLAGS       a flag is one bit of a line, not a line of its own
 *   SHMADD               512 MB behind RCCE_shmalloc in place of 64 MB, by
 *                        rewriting this core's LUT; uncached
 *   SHMADD_CACHEABLE     the same, cached: RCCE_shflush before others read
 *                        and before reading what others wrote
 *   RC_POWER_MANAGEMENT  voltage and frequency of the own domain
 *   RCCE_MAILBOX         room for the kernel's mailboxes (RCCE_mail.h)
 *   MS_BAREMETAL         no operating system: link with -lrcce_bare
 * All forms live in one library: a switch maps names to other symbols, or
 * travels to the library in RCCE_init.
 *
 * Sizes are bytes, UE numbers are ranks in RCCE_COMM_WORLD. Calls return
 * RCCE_SUCCESS or an error code unless said otherwise. "Collective" means
 * that all UEs call, in the same order. "Blocks" means that it polls until
 * a partner has done its part. Costs are transactions: a "line" is one
 * 32-byte transfer over the mesh.
 */
#ifndef RCCE_H
#define RCCE_H

#include <stdio.h>
#include <stdlib.h>

#include "RCCE_sizes.h"

#define _RCCE "2.0 release"
/* Where the original prints its errors. */
#define STDERR stdout
#define ABS(x) ((x) > 0 ? (x) : -(x))

#ifdef SHMADD_CACHEABLE
#ifndef SHMADD
#define SHMADD
#endif
#endif
#ifdef SINGLEBITFLAGS
#include "RCCE_bitflags.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The program's entry; the original calls it in place of main. */
#define RCCE_APP main

#define RCCE_MAXNP 48
#define LOG2_LINE_SIZE 5
#define RCCE_LINE_SIZE (1 << LOG2_LINE_SIZE)
/* One UE's half of its tile's message-passing buffer, in bytes. */
#define RCCE_BUFF_SIZE_MAX (1 << 13)
/* Off-chip shared memory behind RCCE_shmalloc, in bytes. */
#ifdef SHMADD
#define RCCE_SHM_SIZE_MAX 0x20000000
#else
#define RCCE_SHM_SIZE_MAX 0x4000000
#endif

#define RCCE_SUCCESS 0
#define RCCE_ERROR_BASE 1234321
#define RCCE_ERROR_TARGET (RCCE_ERROR_BASE + 1)
#define RCCE_ERROR_SOURCE (RCCE_ERROR_BASE + 2)
#define RCCE_ERROR_ID (RCCE_ERROR_BASE + 3)
#define RCCE_ERROR_MESSAGE_LENGTH (RCCE_ERROR_BASE + 4)
#define RCCE_ERROR_FLAG_UNDEFINED (RCCE_ERROR_BASE + 5)
#define RCCE_ERROR_NUM_UES (RCCE_ERROR_BASE + 6)
#define RCCE_ERROR_DATA_OVERLAP (RCCE_ERROR_BASE + 7)
#define RCCE_ERROR_ALIGNMENT (RCCE_ERROR_BASE + 8)
#define RCCE_ERROR_DEBUG_FLAG (RCCE_ERROR_BASE + 9)
#define RCCE_ERROR_FLAG_NOT_IN_COMM_BUFFER (RCCE_ERROR_BASE + 10)
#define RCCE_ERROR_FLAG_STATUS_UNDEFINED (RCCE_ERROR_BASE + 11)
#define RCCE_ERROR_FLAG_NOT_ALLOCATED (RCCE_ERROR_BASE + 12)
#define RCCE_ERROR_VAL_UNDEFINED (RCCE_ERROR_BASE + 13)
#define RCCE_ERROR_INVALID_ERROR_CODE (RCCE_ERROR_BASE + 14)
#define RCCE_ERROR_RPC_NOT_ALLOCATED (RCCE_ERROR_BASE + 15)
#define RCCE_ERROR_RPC_INTERNAL (RCCE_ERROR_BASE + 16)
#define RCCE_ERROR_MULTIPLE_RPC_REQUESTS (RCCE_ERROR_BASE + 17)
#define RCCE_ERROR_FDIVIDER (RCCE_ERROR_BASE + 18)
#define RCCE_ERROR_FREQUENCY_EXCEEDED (RCCE_ERROR_BASE + 19)
#define RCCE_ERROR_NO_ACTIVE_RPC_REQUEST (RCCE_ERROR_BASE + 20)
#define RCCE_ERROR_STALE_RPC_REQUEST (RCCE_ERROR_BASE + 21)
#define RCCE_ERROR_COMM_UNDEFINED (RCCE_ERROR_BASE + 22)
#define RCCE_ERROR_ILLEGAL_OP (RCCE_ERROR_BASE + 23)
#define RCCE_ERROR_ILLEGAL_TYPE (RCCE_ERROR_BASE + 24)
#define RCCE_ERROR_MALLOC (RCCE_ERROR_BASE + 25)
#define RCCE_ERROR_COMM_INITIALIZED (RCCE_ERROR_BASE + 26)
#define RCCE_ERROR_CORE_NOT_IN_HOSTFILE (RCCE_ERROR_BASE + 27)
/* Longest text of RCCE_error_string, its closing zero included. */
#define RCCE_MAX_ERROR_STRING 45

#define RCCE_DEBUG_ALL 111111
#define RCCE_DEBUG_SYNCH 111444
#define RCCE_DEBUG_COMM 111555
#define RCCE_DEBUG_RPC 111666
#define RCCE_DEBUG_DEBUG 111888

#define RCCE_FLAG_SET 1
#define RCCE_FLAG_UNSET 0

#define RCCE_NUM_OPS 4
#define RCCE_OP_BASE 23232323
#define RCCE_SUM (RCCE_OP_BASE)
#define RCCE_MIN (RCCE_OP_BASE + 1)
#define RCCE_MAX (RCCE_OP_BASE + 2)
#define RCCE_PROD (RCCE_OP_BASE + 3)

#define RCCE_TYPE_BASE 63636363
#define RCCE_INT (RCCE_TYPE_BASE)
#define RCCE_LONG (RCCE_TYPE_BASE + 1)
#define RCCE_FLOAT (RCCE_TYPE_BASE + 2)
#define RCCE_DOUBLE (RCCE_TYPE_BASE + 3)

/* An address in a message-passing buffer or in shared memory. */
typedef volatile unsigned char *t_vcharp;
#ifdef SINGLEBITFLAGS
/* A flag: bit `location` (0..255) of a line; `flag_addr` is its byte. */
typedef struct {
    int location;
    t_vcharp flag_addr;
    t_vcharp line_address;
} RCCE_FLAG;
#else
/* A flag: the first word of a line of its own in the message buffer. */
typedef volatile int *RCCE_FLAG;
#endif
typedef int RCCE_FLAG_STATUS;

/* A group of UEs; `member` holds their ranks in RCCE_COMM_WORLD. */
typedef struct {
    int size;
    int my_rank;
    int initialized;
    int member[RCCE_MAXNP];
    RCCE_FLAG gather;
    RCCE_FLAG release;
} RCCE_COMM;

extern RCCE_COMM RCCE_COMM_WORLD;

#ifdef RC_POWER_MANAGEMENT
/* A change of voltage and frequency under way; filled by RCCE_iset_power. */
typedef struct {
    int release;
    int old_voltage_level;
    int new_voltage_level;
    int old_frequency_divider;
    int new_frequency_divider;
    long long start_cycle;
} RCCE_REQUEST;

#define RCCE_POWER_DEFAULT -99999
/* The UEs of the own voltage domain (8 cores at most). */
extern RCCE_COMM RCCE_P_COMM;
#endif

/* What the program was built with; RCCE_init passes it to the library. */
#define RCCE_SWITCH_GORY 1
#define RCCE_SWITCH_BITS 2
#define RCCE_SWITCH_SHMADD 4
#define RCCE_SWITCH_CACHEABLE 8
#define RCCE_SWITCH_POWER 16
#define RCCE_SWITCH_MAILBOX 32
int rcce_start(int *argc, char ***argv, int switches);

#ifndef RCCE_LIBRARY
#ifdef GORY
#define RCCE_IS_GORY RCCE_SWITCH_GORY
#define RCCE_send RCCE_send_gory
#define RCCE_recv RCCE_recv_gory
#define RCCE_recv_test RCCE_recv_test_gory
#else
#define RCCE_IS_GORY 0
#endif
#ifdef SINGLEBITFLAGS
#define RCCE_HAS_BITS RCCE_SWITCH_BITS
#else
#define RCCE_HAS_BITS 0
#endif
#ifdef SHMADD
#define RCCE_HAS_SHMADD RCCE_SWITCH_SHMADD
#else
#define RCCE_HAS_SHMADD 0
#endif
#ifdef SHMADD_CACHEABLE
#define RCCE_IS_CACHEABLE RCCE_SWITCH_CACHEABLE
#else
#define RCCE_IS_CACHEABLE 0
#endif
#ifdef RC_POWER_MANAGEMENT
#define RCCE_HAS_POWER RCCE_SWITCH_POWER
#else
#define RCCE_HAS_POWER 0
#endif
#ifdef RCCE_MAILBOX
#define RCCE_HAS_MAILBOX RCCE_SWITCH_MAILBOX
#else
#define RCCE_HAS_MAILBOX 0
#endif
#define RCCE_SWITCHES                                                     \
    (RCCE_IS_GORY | RCCE_HAS_BITS | RCCE_HAS_SHMADD | RCCE_IS_CACHEABLE | \
     RCCE_HAS_POWER | RCCE_HAS_MAILBOX)
#define RCCE_init(argc, argv) rcce_start(argc, argv, RCCE_SWITCHES)
#endif

/* Collective, blocks until all UEs have started; takes the launcher's part
 * out of the argument list. Errors: NUM_UES (no launch data; power management
 * or mailboxes on a chip that is not the SCC), CORE_NOT_IN_HOSTFILE, MALLOC
 * (no devices). */
int(RCCE_init)(int *argc, char ***argv);
/* Collective, blocks; leaves MPB and locks as the next job expects them. */
int RCCE_finalize(void);
/* Seconds of this core's time stamp counter at the clock the job started
 * with; only differences on one core mean something. */
double RCCE_wtime(void);
/* The own rank, and how many UEs there are. No cost. */
int RCCE_ue(void);
int RCCE_num_ues(void);
/* Cycles of this core since RCCE_init. */
long long RC_global_clock(void);

/* One-sided and flags: meant for GORY; a basic program finds little room in
 * the MPB, because its messages pass through it. */
/* Memory in the MPB, at the same offset on every UE: collective, no cost.
 * Whole lines, 8160 bytes at most; NULL if there is not that much. */
t_vcharp RCCE_malloc(size_t size);
/* Content with less: `granted` gets what there was. */
t_vcharp RCCE_malloc_request(size_t size, size_t *granted);
/* A block freed twice, or never allocated, is left alone (debug COMM says
 * TARGET). */
void RCCE_free(t_vcharp block);
/* Whole lines between private memory (or the own MPB) and the MPB of `ue`;
 * the MPB side begins at a line. Does not block; one line a line.
 * Errors: ID, TARGET, SOURCE, MESSAGE_LENGTH, ALIGNMENT, DATA_OVERLAP. */
int RCCE_put(t_vcharp target, t_vcharp source, int bytes, int ue)
    RCCE_READS(source, bytes);
int RCCE_get(t_vcharp target, t_vcharp source, int bytes, int ue)
    RCCE_WRITES(target, bytes);
/* One byte, at any address of the MPB. */
int RCCE_put_char(t_vcharp target, t_vcharp source, int ue);
int RCCE_get_char(t_vcharp target, t_vcharp source, int ue);
/* Flags. Alloc and free are collective. A line flag costs 32 bytes of MPB
 * and one line to write; a bit flag 1 bit and lock, read, write, unlock of
 * the target's line. Errors: FLAG_UNDEFINED, FLAG_NOT_ALLOCATED (also: freed
 * before), FLAG_NOT_IN_COMM_BUFFER, FLAG_STATUS_UNDEFINED, VAL_UNDEFINED,
 * ID. */
int RCCE_flag_alloc(RCCE_FLAG *flag);
int RCCE_flag_free(RCCE_FLAG *flag);
int RCCE_flag_write(RCCE_FLAG *flag, RCCE_FLAG_STATUS status, int ue);
int RCCE_flag_read(RCCE_FLAG flag, RCCE_FLAG_STATUS *status, int ue);
/* Blocks until the own copy of the flag has the value. */
int RCCE_wait_until(RCCE_FLAG flag, RCCE_FLAG_STATUS status);
/* Whether it has the value now. */
int RCCE_test_flag(RCCE_FLAG flag, RCCE_FLAG_STATUS status, int *result);

/* Two-sided messages of any length above 0. Synchronous: RCCE_send blocks
 * until the receiver has all of it. Errors: ID (no such UE, or the caller),
 * SOURCE or TARGET (no buffer), MESSAGE_LENGTH (0, above 2 GB, or the
 * partner's size is another one: both get this error and nothing is
 * copied). RCCE_recv_test receives if the message has begun to arrive. */
#if defined(GORY) && !defined(RCCE_LIBRARY)
int RCCE_send(char *buffer, t_vcharp combuf, size_t chunk, RCCE_FLAG *ready,
              RCCE_FLAG *sent, size_t size, int dest) RCCE_READS(buffer, size);
int RCCE_recv(char *buffer, t_vcharp combuf, size_t chunk, RCCE_FLAG *ready,
              RCCE_FLAG *sent, size_t size, int source)
    RCCE_WRITES(buffer, size);
int RCCE_recv_test(char *buffer, t_vcharp combuf, size_t chunk,
                   RCCE_FLAG *ready, RCCE_FLAG *sent, size_t size, int source,
                   int *done) RCCE_WRITES(buffer, size);
#else
int RCCE_send(char *buffer, size_t size, int dest) RCCE_READS(buffer, size);
int RCCE_recv(char *buffer, size_t size, int source) RCCE_WRITES(buffer, size);
int RCCE_recv_test(char *buffer, size_t size, int source, int *done)
    RCCE_WRITES(buffer, size);
/* Extension: copies the first `size` bytes of a message that waits to be
 * received and leaves it there; 0 when it did, 1 when there is none, else an
 * error code. At most one chunk of the message is there to be seen. */
int RCCE_peek(char *buffer, size_t size, int source) RCCE_WRITES(buffer, size);
/* Collective over `comm`, block. `root` is a rank in `comm`. The simple
 * algorithms of the original: the root deals with all others in turn, so
 * the time grows with the number of members. Errors: COMM_UNDEFINED, ID,
 * SOURCE, TARGET, MESSAGE_LENGTH, ILLEGAL_OP, ILLEGAL_TYPE, MALLOC. */
int RCCE_bcast(char *buffer, size_t size, int root, RCCE_COMM comm)
    RCCE_CARRIES(buffer, size);
int RCCE_reduce(char *in, char *out, int num, int type, int op, int root,
                RCCE_COMM comm) RCCE_HOLDS(in, num, type);
int RCCE_allreduce(char *in, char *out, int num, int type, int op,
                   RCCE_COMM comm) RCCE_HOLDS(in, num, type)
    RCCE_HOLDS(out, num, type);
#endif

/* Collective over RCCE_COMM_WORLD; `comm` becomes the group of those with
 * the caller's colour. 2 lines of MPB (bits: 2 bits). Errors:
 * COMM_UNDEFINED, COMM_INITIALIZED, FLAG_NOT_ALLOCATED (MPB exhausted). */
int RCCE_comm_split(int (*color)(int ue, void *aux), void *aux,
                    RCCE_COMM *comm);
int RCCE_comm_free(RCCE_COMM *comm);
int RCCE_comm_size(RCCE_COMM comm, int *size);
int RCCE_comm_rank(RCCE_COMM comm, int *rank);
/* Blocks until all members are here. The first member reads a flag of each
 * and writes a flag of each. */
int RCCE_barrier(RCCE_COMM *comm);
/* Pushes stores that wait in the write-combine buffer. */
void RCCE_fence(void);
/* The test-and-set register of a UE's core. Acquire blocks (one uncached
 * read a try). Release by a UE that does not hold it: ID, and the lock stays
 * with its owner; releasing a free lock does nothing. */
int RCCE_acquire_lock(int ue);
int RCCE_release_lock(int ue);

/* Off-chip memory, at the same address on every UE: collective, no cost
 * beyond page tables. NULL when there is not that much. */
t_vcharp RCCE_shmalloc(size_t size);
void RCCE_shfree(t_vcharp block);
/* Orders accesses to it; where it is cached (SHMADD_CACHEABLE) also writes
 * back and forgets what L1 and L2 hold: milliseconds. */
int RCCE_shflush(void);
/* Flushes L1 and L2 in any case. */
int RCCE_DCMflush(void);

#ifdef RC_POWER_MANAGEMENT
/* The own domain (0..5), its master (the lowest rank in it), its UEs. */
int RCCE_power_domain(void);
int RCCE_power_domain_master(void);
int RCCE_power_domain_size(void);
/* Asks for 1600 MHz / Fdiv (2..16, others are clipped) at the lowest voltage
 * level (0..6) that bears it. Does not block unless the regulator is busy.
 * Only the domain's master acts; for others the call is empty and succeeds.
 * A slower clock comes at once, a faster one in RCCE_wait_power. Errors:
 * RPC_NOT_ALLOCATED, VAL_UNDEFINED, MULTIPLE_RPC_REQUESTS, FDIVIDER. */
int RCCE_iset_power(int Fdiv, RCCE_REQUEST *request, int *newFdiv,
                    int *newVlevel);
/* Blocks until the voltage is there (a millisecond or so a step). Errors:
 * RPC_NOT_ALLOCATED, NO_ACTIVE_RPC_REQUEST, STALE_RPC_REQUEST. */
int RCCE_wait_power(RCCE_REQUEST *request);
/* The clock alone; FDIVIDER if the present voltage does not bear it. */
int RCCE_set_frequency_divider(int Fdiv, int *newFdiv);
#endif

/* `text` gets at most RCCE_MAX_ERROR_STRING bytes. */
int RCCE_error_string(int code, char *text, int *length);
/* From now on errors of a class (RCCE_DEBUG_...) are also printed on stderr. */
int RCCE_debug_set(int flag);
int RCCE_debug_unset(int flag);

#ifdef __cplusplus
}
#endif

#endif
