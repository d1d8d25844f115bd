/*
 * family.h: random programs of processes: what their processes share, and the plan
 * that all of them draw alike.
 */
#ifndef FAMILY_H
#define FAMILY_H

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

enum { MOST = 8, BYTES = 64, COUNTERS = 6, ROUNDS = 3, PAGE = 4096 };
enum { MUTEX, SEMAPHORE, ATOMIC, KINDS }; /* of counter n: n % KINDS */

/* What all of them see. */
struct family {
    pthread_mutex_t mutexes[COUNTERS];
    sem_t semaphores[COUNTERS];
    pthread_barrier_t barrier;
    _Atomic uint32_t counters[COUNTERS], turn, checked, wrong;
    _Atomic pid_t pids[MOST];
    uint8_t bytes[MOST * BYTES]; /* of member m: m, m + members, ... */
};

extern struct family *all;
extern int members, self, pipes[MOST][2];
extern uint32_t program, own[ROUNDS * 1024]; /* each its own copy */
extern uint8_t *guarded; /* a page that a fault opens for writing */

/* family.c */
uint32_t drawn(int round, int member, int what);
void expect(int right);

/* rounds.c */
int additions(int round, int member);
void live_a_round(int round);
void on_fault(int number, siginfo_t *told, void *context);

#endif
