/*
 * protocol.c: mutexes that raise the priority of the thread that holds them:
 * to a ceiling (PTHREAD_PRIO_PROTECT), or to that of the highest thread that
 * waits (PTHREAD_PRIO_INHERIT). The holder keeps it until it holds no mutex of
 * either protocol. What is inherited is not passed on to a further holder.
 */
#include "../threads.h"

#include <errno.h>
#include <sched.h>

/* Bits of musl's pthread_mutexattr_t, of those that it leaves free, and of the
 * object's setting. */
#define INHERIT 8u
#define PROTECT 16u
#define CEILING 8 /* the first of 7 bits */
#define CEILINGS (127u << CEILING)
#define KEPT (INHERIT | PROTECT | CEILINGS | CRF_MUTEX_TYPES)

static uint32_t ceiling_of(uint32_t bits)
{
    uint32_t ceiling = (bits & CEILINGS) >> CEILING;

    return ceiling ? ceiling : 1;
}

static int set_ceiling(volatile uint32_t *bits, int ceiling)
{
    if (ceiling < 1 || ceiling > sched_get_priority_max(SCHED_FIFO))
        return EINVAL;
    *bits = (*bits & ~CEILINGS) | (uint32_t)ceiling << CEILING;
    return 0;
}

/* The first of these mutexes makes all cores look at priorities. */
uint32_t crf_mutex_setting(const pthread_mutexattr_t *attributes)
{
    if (attributes->__attr & (INHERIT | PROTECT) && !crf_control->ranked)
        for (int rank = crf_all_ranks - 1; rank >= 0; rank--)
            crf_priority_tell((uint32_t)rank);
    return attributes->__attr & KEPT;
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol)
{
    static const uint32_t bits[] = {[PTHREAD_PRIO_NONE] = 0,
                                    [PTHREAD_PRIO_INHERIT] = INHERIT,
                                    [PTHREAD_PRIO_PROTECT] = PROTECT};

    if (protocol < 0 || protocol > PTHREAD_PRIO_PROTECT)
        return EINVAL;
    attributes->__attr =
        (attributes->__attr & ~(INHERIT | PROTECT)) | bits[protocol];
    return 0;
}

int pthread_mutexattr_getprotocol(
    const pthread_mutexattr_t *restrict attributes, int *restrict protocol)
{
    *protocol = attributes->__attr & PROTECT   ? PTHREAD_PRIO_PROTECT
                : attributes->__attr & INHERIT ? PTHREAD_PRIO_INHERIT
                                               : PTHREAD_PRIO_NONE;
    return 0;
}

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attributes,
                                     int ceiling)
{
    volatile uint32_t bits = attributes->__attr;
    int error = set_ceiling(&bits, ceiling);

    attributes->__attr = bits;
    return error;
}

int pthread_mutexattr_getprioceiling(
    const pthread_mutexattr_t *restrict attributes, int *restrict ceiling)
{
    *ceiling = (int)ceiling_of(attributes->__attr);
    return 0;
}

int pthread_mutex_getprioceiling(const pthread_mutex_t *restrict mutex,
                                 int *restrict ceiling)
{
    struct crf_object *lock = crf_object(mutex, CRF_MUTEX, 0);

    *ceiling = (int)ceiling_of(lock->setting);
    crf_object_done(lock);
    return 0;
}

int pthread_mutex_setprioceiling(pthread_mutex_t *restrict mutex, int ceiling,
                                 int *restrict old)
{
    struct crf_object *lock;
    int error = pthread_mutex_lock(mutex);

    if (error)
        return error;
    lock = crf_object(mutex, CRF_MUTEX, 0);
    if (old)
        *old = (int)ceiling_of(lock->setting);
    error = set_ceiling(&lock->setting, ceiling);
    crf_object_done(lock);
    pthread_mutex_unlock(mutex);
    return error;
}

static void raise_to(uint32_t thread, uint32_t priority)
{
    if (crf_control->rank_of[thread].raised >= priority)
        return;
    crf_control->rank_of[thread].raised = (uint8_t)priority;
    crf_priority_tell(thread);
}

int crf_protocol_refuses(const struct crf_object *lock)
{
    return lock->setting & PROTECT &&
           crf_control->rank_of[crf_self].priority > ceiling_of(lock->setting);
}

void crf_protocol_waits(const struct crf_object *lock)
{
    if (lock->setting & INHERIT)
        raise_to(lock->holder - 1, crf_priority(crf_self));
}

void crf_protocol_taken(uint32_t setting)
{
    if (!(setting & (INHERIT | PROTECT)))
        return;
    crf_running->raisers++;
    if (setting & PROTECT)
        raise_to(crf_self, ceiling_of(setting));
}

void crf_protocol_left(uint32_t setting)
{
    if (!(setting & (INHERIT | PROTECT)) || !crf_running->raisers)
        return;
    if (--crf_running->raisers || !crf_control->rank_of[crf_self].raised)
        return;
    crf_control->rank_of[crf_self].raised = 0;
    crf_priority_tell(crf_self);
}
