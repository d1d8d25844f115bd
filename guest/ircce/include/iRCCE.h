/*
 * iRCCE.h: non-blocking messages, wait lists, tagged flags, atomic counters
 * and multicast for RCCE, version 2.0 of the interface.
 *
 * Names, types and values are those of the published interface
 * (clauss-ircce); the code behind them is this project's own. Programs use
 * RCCE's basic interface beside it, and link with -lircce -lrcce.
 *
 * Sizes are bytes. Messages of one UE leave one after another, because they
 * share its message buffer; those between two UEs arrive in order. Any kind
 * of send matches any kind of receive, RCCE's own included. Calls return
 * iRCCE_SUCCESS, a state (iRCCE_PENDING ...) or an error code of RCCE.h; a
 * message whose sizes differ fails at both ends (RCCE_ERROR_MESSAGE_LENGTH).
 * Requests belong to the caller, who keeps them and the buffer until the
 * message is finished. All blocking calls of RCCE and iRCCE go on with what
 * was started before; a program that computes calls the push functions.
 */
#ifndef IRCCE_H
#define IRCCE_H

#include "RCCE.h"

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define iRCCE_VERSION "2.0"
#define iRCCE_FLAIR

#define iRCCE_SUCCESS RCCE_SUCCESS
#define iRCCE_ERROR -1
/* Under way. */
#define iRCCE_PENDING -2
/* Waits behind other messages. */
#define iRCCE_RESERVED -3
/* Not in any queue: finished, cancelled or never started. */
#define iRCCE_NOT_ENQUEUED -4

/* As a source: whoever sends first. As a size: whatever it is. */
extern const int iRCCE_ANY_SOURCE;
#ifndef SINGLEBITFLAGS
#define _iRCCE_ANY_LENGTH_
#define _iRCCE_TAGGED_FLAGS_
extern const int iRCCE_ANY_LENGTH;
/* The most that travels with a tagged flag. */
#define iRCCE_MAX_TAGGED_LEN (RCCE_LINE_SIZE - sizeof(int))
#endif

/* A message under way. Programs may read privbuf, size, dest or source, and
 * finished; the rest is the library's. */
typedef struct _iRCCE_SEND_REQUEST {
    char *privbuf;
    size_t size;
    int dest;
    int sync;     /* in pieces (issend) or chunks (isend) */
    size_t wsize; /* bytes that are done */
    int label;    /* pieces that were raised */
    int finished;
    int error;
    struct _iRCCE_SEND_REQUEST *next;
} iRCCE_SEND_REQUEST;

typedef struct _iRCCE_RECV_REQUEST {
    char *privbuf;
    size_t size;
    int source;
    int sync;
    size_t wsize;
    int label;
    int finished;
    int started;
    int error;
    struct _iRCCE_RECV_REQUEST *next;
} iRCCE_RECV_REQUEST;

#define iRCCE_WAIT_LIST_RECV_TYPE 0
#define iRCCE_WAIT_LIST_SEND_TYPE 1

typedef struct _iRCCE_WAIT_LISTELEM {
    int type;
    struct _iRCCE_WAIT_LISTELEM *next;
    void *req;
} iRCCE_WAIT_LISTELEM;

typedef struct _iRCCE_WAIT_LIST {
    iRCCE_WAIT_LISTELEM *first;
    iRCCE_WAIT_LISTELEM *last;
} iRCCE_WAIT_LIST;

/* An atomic counter of the system FPGA: reading `counter` adds 1, `init`
 * reads and writes it as it is. */
typedef volatile struct _iRCCE_AIR {
    volatile int *counter;
    volatile int *init;
} iRCCE_AIR;

/* After RCCE_init, collective. */
int iRCCE_init(void);

/* Non-blocking: start a message. NULL as request: wait at once. Returns
 * SUCCESS when it is finished already, PENDING or RESERVED. */
int iRCCE_isend(char *buffer, ssize_t size, int dest,
                iRCCE_SEND_REQUEST *request) RCCE_READS(buffer, size);
int iRCCE_irecv(char *buffer, ssize_t size, int source,
                iRCCE_RECV_REQUEST *request) RCCE_WRITES(buffer, size);
/* Messages in pieces of half the message buffer: filling overlaps with
 * fetching. */
int iRCCE_issend(char *buffer, ssize_t size, int dest,
                 iRCCE_SEND_REQUEST *request) RCCE_READS(buffer, size);
int iRCCE_isrecv(char *buffer, ssize_t size, int source,
                 iRCCE_RECV_REQUEST *request) RCCE_WRITES(buffer, size);
/* Goes on with all messages; then `*test` says whether this one is finished
 * (NULL: whether all are). */
int iRCCE_isend_test(iRCCE_SEND_REQUEST *request, int *test);
int iRCCE_irecv_test(iRCCE_RECV_REQUEST *request, int *test);
/* Blocks until it is finished (NULL: until all are). */
int iRCCE_isend_wait(iRCCE_SEND_REQUEST *request);
int iRCCE_irecv_wait(iRCCE_RECV_REQUEST *request);
/* Goes on with all messages as far as that is possible now. */
int iRCCE_isend_push(void);
int iRCCE_irecv_push(void);
/* Takes a message back that was not begun: `*test` says whether. */
int iRCCE_isend_cancel(iRCCE_SEND_REQUEST *request, int *test);
int iRCCE_irecv_cancel(iRCCE_RECV_REQUEST *request, int *test);

/* Blocking, in pieces. */
int iRCCE_ssend(char *buffer, ssize_t size, int dest) RCCE_READS(buffer, size);
int iRCCE_srecv(char *buffer, ssize_t size, int source)
    RCCE_WRITES(buffer, size);
/* Receives if the message has begun to arrive. */
int iRCCE_srecv_test(char *buffer, ssize_t size, int source, int *test)
    RCCE_WRITES(buffer, size);

/* As RCCE_put and RCCE_get, for any number of bytes. The copies load a line
 * of their target first where that spares single stores to memory. */
int iRCCE_put(t_vcharp target, t_vcharp source, int bytes, int ue)
    RCCE_READS(source, bytes);
int iRCCE_get(t_vcharp target, t_vcharp source, int bytes, int ue)
    RCCE_WRITES(target, bytes);
void *iRCCE_memcpy_put(void *target, const void *source, size_t bytes);
void *iRCCE_memcpy_get(void *target, const void *source, size_t bytes);
t_vcharp iRCCE_malloc(size_t size);
#define iRCCE_memcpy iRCCE_memcpy_put

/* Whether a message from `source` (or iRCCE_ANY_SOURCE) waits that no
 * receive was started for; `*from` gets its source. iRCCE_probe blocks. */
int iRCCE_probe(int source, int *from);
int iRCCE_iprobe(int source, int *from, int *flag);

/* Lists of requests. Finished ones leave the list: wait_all empties it,
 * any takes one and returns it (the other pointer becomes NULL). On an
 * empty list any returns NOT_ENQUEUED. */
void iRCCE_init_wait_list(iRCCE_WAIT_LIST *list);
void iRCCE_add_to_wait_list(iRCCE_WAIT_LIST *list, iRCCE_SEND_REQUEST *send,
                            iRCCE_RECV_REQUEST *recv);
int iRCCE_test_all(iRCCE_WAIT_LIST *list, int *test);
int iRCCE_wait_all(iRCCE_WAIT_LIST *list);
int iRCCE_test_any(iRCCE_WAIT_LIST *list, iRCCE_SEND_REQUEST **send,
                   iRCCE_RECV_REQUEST **recv);
int iRCCE_wait_any(iRCCE_WAIT_LIST *list, iRCCE_SEND_REQUEST **send,
                   iRCCE_RECV_REQUEST **recv);

int iRCCE_get_dest(iRCCE_SEND_REQUEST *request);
int iRCCE_get_source(iRCCE_RECV_REQUEST *request);
int iRCCE_get_size(iRCCE_SEND_REQUEST *send, iRCCE_RECV_REQUEST *recv);
/* Bytes of the message that was received last. */
int iRCCE_get_length(void);

#ifndef SINGLEBITFLAGS
/* A line flag that carries up to iRCCE_MAX_TAGGED_LEN bytes, in the one
 * transaction that writes the flag. */
int iRCCE_flag_alloc_tagged(RCCE_FLAG *flag);
int iRCCE_flag_free_tagged(RCCE_FLAG *flag);
int iRCCE_flag_write_tagged(RCCE_FLAG *flag, RCCE_FLAG_STATUS status, int ue,
                            void *tag, int bytes) RCCE_READS(tag, bytes);
int iRCCE_flag_read_tagged(RCCE_FLAG flag, RCCE_FLAG_STATUS *status, int ue,
                           void *tag, int bytes) RCCE_WRITES(tag, bytes);
int iRCCE_wait_tagged(RCCE_FLAG flag, RCCE_FLAG_STATUS status, void *tag,
                      int bytes) RCCE_WRITES(tag, bytes);
int iRCCE_test_tagged(RCCE_FLAG flag, RCCE_FLAG_STATUS status, int *result,
                      void *tag, int bytes) RCCE_WRITES(tag, bytes);
int iRCCE_get_max_tagged_len(void);
#endif

/* Counters: alloc is collective and hands them out in order (96 in all, set
 * to 0); inc returns the value before. One uncached access to the FPGA. */
int iRCCE_atomic_alloc(iRCCE_AIR **counter);
int iRCCE_atomic_inc(iRCCE_AIR *counter, int *value);
int iRCCE_atomic_read(iRCCE_AIR *counter, int *value);
int iRCCE_atomic_write(iRCCE_AIR *counter, int value);

/* Multicast over all UEs: the sender fills its buffer once and all others
 * fetch from it. iRCCE_mcast is called by all, with the sender as root. */
int iRCCE_msend(char *buffer, ssize_t size) RCCE_READS(buffer, size);
int iRCCE_mrecv(char *buffer, ssize_t size, int source)
    RCCE_WRITES(buffer, size);
int iRCCE_mcast(char *buffer, size_t size, int root) RCCE_READS(buffer, size);

#ifdef SINGLEBITFLAGS
#define iRCCE_barrier RCCE_barrier
#define iRCCE_bcast RCCE_bcast
#define iRCCE_flag_alloc RCCE_flag_alloc
#define iRCCE_flag_write RCCE_flag_write
#define iRCCE_flag_read RCCE_flag_read
#define iRCCE_wait_until RCCE_wait_until
#else
/* Collectives that scale (see RCCE_collectives.h). */
int iRCCE_barrier(RCCE_COMM *comm);
int iRCCE_bcast(char *buffer, size_t size, int root, RCCE_COMM comm)
    RCCE_READS(buffer, size);
/* The flags of the gory interface. */
int iRCCE_flag_alloc(RCCE_FLAG *flag);
int iRCCE_flag_write(RCCE_FLAG *flag, RCCE_FLAG_STATUS status, int ue);
int iRCCE_flag_read(RCCE_FLAG flag, RCCE_FLAG_STATUS *status, int ue);
int iRCCE_wait_until(RCCE_FLAG flag, RCCE_FLAG_STATUS status);
#endif

/* Names of before. */
#define RCCE_isend iRCCE_isend
#define RCCE_isend_test iRCCE_isend_test
#define RCCE_isend_wait iRCCE_isend_wait
#define RCCE_isend_push iRCCE_isend_push
#define RCCE_irecv iRCCE_irecv
#define RCCE_irecv_test iRCCE_irecv_test
#define RCCE_irecv_wait iRCCE_irecv_wait
#define RCCE_irecv_push iRCCE_irecv_push
#define RCCE_SEND_REQUEST iRCCE_SEND_REQUEST
#define RCCE_RECV_REQUEST iRCCE_RECV_REQUEST
#define RCCE_flag_alloc_tagged iRCCE_flag_alloc_tagged
#define RCCE_flag_free_tagged iRCCE_flag_free_tagged
#define RCCE_flag_write_tagged iRCCE_flag_write_tagged
#define RCCE_flag_read_tagged iRCCE_flag_read_tagged
#define RCCE_wait_tagged iRCCE_wait_tagged
#define RCCE_test_tagged iRCCE_test_tagged
#define iRCCE_send iRCCE_ssend
#define iRCCE_recv iRCCE_srecv
#define iRCCE_recv_test iRCCE_srecv_test
#define iRCCE_issend_test iRCCE_isend_test
#define iRCCE_issend_wait iRCCE_isend_wait
#define iRCCE_issend_push iRCCE_isend_push
#define iRCCE_isrecv_test iRCCE_irecv_test
#define iRCCE_isrecv_wait iRCCE_irecv_wait
#define iRCCE_isrecv_push iRCCE_irecv_push
#define iRCCE_add_send_to_wait_list(list, send) \
    iRCCE_add_to_wait_list(list, send, NULL)
#define iRCCE_add_recv_to_wait_list(list, recv) \
    iRCCE_add_to_wait_list(list, NULL, recv)

#ifdef __cplusplus
}
#endif

#endif
