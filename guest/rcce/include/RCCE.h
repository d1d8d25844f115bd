/*
 * RCCE.h: the message-passing interface of the SCC, version 2.0.
 *
 * Names, types and values are those of the published interface
 * (rcce-2010), so a program written for the chip
 * compiles unchanged. The code behind them is this project's own.
 *
 * GORY chooses the interface with explicit message buffers and flags. Both
 * forms live in one library: under GORY the names that change their shape
 * are mapped to symbols of their own, because RCCE_init leaves the whole
 * message buffer to a gory program and takes most of it for a basic one.
 *
 * Left out of this version: bit flags, shared memory by LUT rewriting,
 * power management, bare metal. Each is refused at compile time below.
 */
#ifndef RCCE_H
#define RCCE_H

#include <stdio.h>
#include <stdlib.h>

#if defined(SINGLEBITFLAGS)
#error "SINGLEBITFLAGS: this RCCE has line flags only; build without it"
#endif
#if defined(SHMADD) || defined(SHMADD_CACHEABLE)
#error "SHMADD: this RCCE offers the 64 MB of RCCE_shmalloc only"
#endif
#if defined(RC_POWER_MANAGEMENT)
#error "RC_POWER_MANAGEMENT: this RCCE has no power management yet"
#endif
#if defined(MS_BAREMETAL)
#error "MS_BAREMETAL: this RCCE runs on the per-core kernel only"
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
#define RCCE_SHM_SIZE_MAX 0x4000000

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
/* A flag: the first word of a line of its own in the message buffer. */
typedef volatile int *RCCE_FLAG;
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

#if defined(GORY) && !defined(RCCE_LIBRARY)
#define RCCE_init RCCE_init_gory
#define RCCE_send RCCE_send_gory
#define RCCE_recv RCCE_recv_gory
#define RCCE_recv_test RCCE_recv_test_gory
#endif

int RCCE_init(int *argc, char ***argv);
int RCCE_finalize(void);
double RCCE_wtime(void);
int RCCE_ue(void);
int RCCE_num_ues(void);

#if defined(GORY) || defined(RCCE_LIBRARY)
t_vcharp RCCE_malloc(size_t size);
t_vcharp RCCE_malloc_request(size_t size, size_t *granted);
void RCCE_free(t_vcharp block);
int RCCE_put(t_vcharp target, t_vcharp source, int bytes, int ue);
int RCCE_get(t_vcharp target, t_vcharp source, int bytes, int ue);
int RCCE_put_char(t_vcharp target, t_vcharp source, int ue);
int RCCE_get_char(t_vcharp target, t_vcharp source, int ue);
int RCCE_flag_alloc(RCCE_FLAG *flag);
int RCCE_flag_free(RCCE_FLAG *flag);
int RCCE_flag_write(RCCE_FLAG *flag, RCCE_FLAG_STATUS status, int ue);
int RCCE_flag_read(RCCE_FLAG flag, RCCE_FLAG_STATUS *status, int ue);
int RCCE_wait_until(RCCE_FLAG flag, RCCE_FLAG_STATUS status);
#endif

#if defined(GORY) && !defined(RCCE_LIBRARY)
int RCCE_send(char *buffer, t_vcharp combuf, size_t chunk, RCCE_FLAG *ready,
              RCCE_FLAG *sent, size_t size, int dest);
int RCCE_recv(char *buffer, t_vcharp combuf, size_t chunk, RCCE_FLAG *ready,
              RCCE_FLAG *sent, size_t size, int source);
int RCCE_recv_test(char *buffer, t_vcharp combuf, size_t chunk,
                   RCCE_FLAG *ready, RCCE_FLAG *sent, size_t size, int source,
                   int *done);
#else
int RCCE_send(char *buffer, size_t size, int dest);
int RCCE_recv(char *buffer, size_t size, int source);
int RCCE_recv_test(char *buffer, size_t size, int source, int *done);
int RCCE_bcast(char *buffer, size_t size, int root, RCCE_COMM comm);
int RCCE_reduce(char *in, char *out, int num, int type, int op, int root,
                RCCE_COMM comm);
int RCCE_allreduce(char *in, char *out, int num, int type, int op,
                   RCCE_COMM comm);
#endif

int RCCE_comm_split(int (*color)(int ue, void *aux), void *aux,
                    RCCE_COMM *comm);
int RCCE_comm_free(RCCE_COMM *comm);
int RCCE_comm_size(RCCE_COMM comm, int *size);
int RCCE_comm_rank(RCCE_COMM comm, int *rank);
int RCCE_barrier(RCCE_COMM *comm);
void RCCE_fence(void);
int RCCE_acquire_lock(int ue);
int RCCE_release_lock(int ue);

t_vcharp RCCE_shmalloc(size_t size);
void RCCE_shfree(t_vcharp block);
int RCCE_shflush(void);
int RCCE_DCMflush(void);

int RCCE_error_string(int code, char *text, int *length);
int RCCE_debug_set(int flag);
int RCCE_debug_unset(int flag);

#ifdef __cplusplus
}
#endif

#endif
