/*
 * threads.h: what the files of this folder share.
 *
 * thread.c   threads: create, join, exit
 * local.c    what each thread has of its own: keys, _Thread_local
 * mutex.c    mutexes, spin locks
 * condition.c, barrier.c (barrier and once), read_write.c, semaphore.c
 */
#ifndef CRF_THREADS_H
#define CRF_THREADS_H

#include <pthread.h>
#include <time.h>

#include "../crf_private.h"

/* Objects that are no program's: no data lie at these addresses. */
#define CRF_ALL_THREADS ((const void *)4)
#define CRF_ALL_KEYS ((const void *)8)

struct crf_thread *crf_self_record(void);
void crf_wait_for_all(void);

/* local.c */
void crf_keys_end(void);
void crf_thread_local_start(void);

/* A time of CLOCK_REALTIME as a time stamp of this core. */
uint64_t crf_time_stamp(const struct timespec *time);
int crf_lock(const void *at, enum crf_kind kind, int try_only);
int crf_unlock(const void *at, enum crf_kind kind);

#endif
