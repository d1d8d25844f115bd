/*
 * policy.c: scheduling policies and priorities of threads. Of a core's threads
 * that can run, one of the highest priority runs next; nothing takes the core
 * away from the thread that runs. SCHED_OTHER has the priority 0, SCHED_FIFO
 * and SCHED_RR have 1 to 99. There are no users, so every thread may choose.
 */
#include "../threads.h"

#include <errno.h>
#include <sched.h>
#include <unistd.h>

#define HIGHEST 99

static int is_real_time(int policy)
{
    return policy == SCHED_FIFO || policy == SCHED_RR;
}

static int is_policy(int policy)
{
    return is_real_time(policy) || policy == SCHED_OTHER ||
           policy == SCHED_BATCH || policy == SCHED_IDLE;
}

static int is_allowed(int policy, int priority)
{
    if (is_real_time(policy))
        return priority >= 1 && priority <= HIGHEST;
    return is_policy(policy) && priority == 0;
}

uint32_t crf_priority(uint32_t thread)
{
    uint32_t own = crf_control->rank_of[thread].priority;
    uint32_t raised = crf_control->rank_of[thread].raised;

    return own > raised ? own : raised;
}

uint32_t crf_place_in(const struct crf_queue *queue, uint32_t *behind)
{
    uint32_t before = 0;

    *behind = queue->first;
    while (*behind && crf_priority(*behind - 1) >= crf_running->priority) {
        before = *behind;
        *behind = crf_control->thread[before - 1].next;
    }
    return before;
}

/* The priorities of this core's threads, after one of them may have changed. */
void crf_priorities_take(void)
{
    struct crf_turn *at = crf_turns;

    crf_ranked = (int)crf_control->ranked;
    if (!crf_ranked || !at)
        return;
    do {
        at->priority = crf_priority(at->number);
        at = at->next;
    } while (at != crf_turns);
}

/* After a change: to be seen by the core that has the thread. */
void crf_priority_tell(uint32_t thread)
{
    int rank = (int)(thread % (uint32_t)crf_all_ranks);

    crf_control->ranked = 1;
    if (rank == crf_my_rank)
        crf_priorities_take();
    else
        crf_tell_news(rank);
}

static int set(uint32_t thread, int policy, int priority)
{
    if (!is_allowed(policy, priority))
        return EINVAL;
    crf_control->rank_of[thread].policy = (uint8_t)policy;
    crf_control->rank_of[thread].priority = (uint8_t)priority;
    if (crf_control->ranked || priority)
        crf_priority_tell(thread);
    return 0;
}

int crf_policy_begin(uint32_t thread, const pthread_attr_t *attributes)
{
    int policy = (int)crf_control->rank_of[crf_self].policy;
    int priority = (int)crf_control->rank_of[crf_self].priority;
    int inherits = PTHREAD_INHERIT_SCHED;
    struct sched_param wanted;

    if (attributes)
        pthread_attr_getinheritsched(attributes, &inherits);
    if (inherits == PTHREAD_EXPLICIT_SCHED) {
        pthread_attr_getschedpolicy(attributes, &policy);
        pthread_attr_getschedparam(attributes, &wanted);
        priority = wanted.sched_priority;
    }
    crf_control->rank_of[thread].raised = 0;
    return set(thread, policy, priority);
}

/* Words of musl's pthread_attr_t. */
enum { POLICY = 5, PRIORITY };

int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int policy)
{
    if (!is_policy(policy))
        return EINVAL;
    attributes->__u.__i[POLICY] = policy;
    return 0;
}

/* Whether it suits the policy, which may be set later, pthread_create sees. */
int pthread_attr_setschedparam(pthread_attr_t *restrict attributes,
                               const struct sched_param *restrict parameters)
{
    if (parameters->sched_priority < 0 || parameters->sched_priority > HIGHEST)
        return EINVAL;
    attributes->__u.__i[PRIORITY] = parameters->sched_priority;
    return 0;
}

/* False if there is no such thread. */
static int find(pthread_t thread, uint32_t *number)
{
    *number = (uint32_t)(uintptr_t)thread % CRF_THREADS;
    return crf_control->thread[*number].state != CRF_FREE;
}

int pthread_setschedparam(pthread_t thread, int policy,
                          const struct sched_param *parameters)
{
    uint32_t number;

    if (!find(thread, &number))
        return ESRCH;
    return set(number, policy, parameters->sched_priority);
}

int pthread_getschedparam(pthread_t thread, int *policy,
                          struct sched_param *parameters)
{
    uint32_t number;

    if (!find(thread, &number))
        return ESRCH;
    *policy = (int)crf_control->rank_of[number].policy;
    *parameters = (struct sched_param){
        .sched_priority = (int)crf_control->rank_of[number].priority};
    return 0;
}

int pthread_setschedprio(pthread_t thread, int priority)
{
    uint32_t number;

    if (!find(thread, &number))
        return ESRCH;
    return set(number, (int)crf_control->rank_of[number].policy, priority);
}

/* The calls for processes: the process is the thread that calls. */
static int is_self(pid_t process)
{
    if (process == 0 || process == getpid())
        return 1;
    errno = ESRCH;
    return 0;
}

int sched_setscheduler(pid_t process, int policy,
                       const struct sched_param *parameters)
{
    if (!is_self(process))
        return -1;
    errno = set(crf_self, policy, parameters->sched_priority);
    return errno ? -1 : 0;
}

int sched_getscheduler(pid_t process)
{
    return is_self(process) ? (int)crf_control->rank_of[crf_self].policy : -1;
}

int sched_setparam(pid_t process, const struct sched_param *parameters)
{
    int policy = sched_getscheduler(process);

    return policy < 0 ? -1 : sched_setscheduler(process, policy, parameters);
}

int sched_getparam(pid_t process, struct sched_param *parameters)
{
    int policy;

    return is_self(process)
               ? pthread_getschedparam(pthread_self(), &policy, parameters)
               : -1;
}
