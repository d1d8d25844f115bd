// Policies and priorities: which thread of a core runs next, which one gets a
// lock, what a mutex gives the thread that holds it.
// cc: -O2 -pthread
// run: -n 1 --tag none
// expect-stdout:
// asked for 0 22 0 3, has policy 2 priority 7, inherits policy 1 priority 5
// order CBA
// lock order CBA
// no protocol mh, ceiling hm, 9 then 8, above it 22, inherits hHm
// reader past a writer 0, behind its equal 16
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char order[8];
static int length, policies[2], priorities[2];

static void *look(void *number)
{
    struct sched_param found;
    int n = *(int *)number;

    pthread_getschedparam(pthread_self(), &policies[n], &found);
    priorities[n] = found.sched_priority;
    return NULL;
}

static int start_with(pthread_t *thread, int policy, int priority,
                      void *(*what)(void *), void *argument)
{
    struct sched_param wanted = {.sched_priority = priority};
    pthread_attr_t attributes;

    pthread_attr_init(&attributes);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, policy);
    pthread_attr_setschedparam(&attributes, &wanted);
    return pthread_create(thread, &attributes, what, argument);
}

static int mine(int policy, int priority)
{
    struct sched_param wanted = {.sched_priority = priority};

    return pthread_setschedparam(pthread_self(), policy, &wanted);
}

static void attributes_and_errors(void)
{
    pthread_t thread;
    int numbers[] = {0, 1};
    int good = start_with(&thread, SCHED_RR, 7, look, &numbers[0]), bad, gone;

    pthread_join(thread, NULL);
    bad = start_with(&thread, SCHED_OTHER, 7, look, &numbers[0]);
    gone = pthread_setschedprio((pthread_t)99, 1);
    printf("asked for %d %d %d %d, has policy %d priority %d, ", good, bad,
           mine(SCHED_FIFO, 5), gone, policies[0], priorities[0]);
    pthread_create(&thread, NULL, look, &numbers[1]);
    pthread_join(thread, NULL);
    printf("inherits policy %d priority %d\n", policies[1], priorities[1]);
}

static void *note(void *letter)
{
    order[length++] = *(char *)letter;
    return NULL;
}

static void *note_with_lock(void *letter)
{
    pthread_mutex_lock(&lock);
    note(letter);
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* Threads of the priorities 1, 2 and 3, all made before one of them runs. */
static void three(const char *what, void *(*function)(void *), int locked)
{
    static char letters[] = "ABC";
    pthread_t threads[3];

    length = 0;
    if (locked)
        pthread_mutex_lock(&lock);
    for (int n = 0; n < 3; n++)
        start_with(&threads[n], SCHED_FIFO, n + 1, function, &letters[n]);
    if (locked) {
        usleep(1000); /* all wait for it */
        pthread_mutex_unlock(&lock);
    }
    for (int n = 0; n < 3; n++)
        pthread_join(threads[n], NULL);
    printf("%s %s\n", what, order);
}

static pthread_mutex_t raising;

static void *note_and_want(void *letter)
{
    pthread_mutex_lock(&raising);
    note(letter);
    pthread_mutex_unlock(&raising);
    return NULL;
}

/* Holds the mutex at the priority 1, and yields while a thread of the priority
 * 2 is ready; before that, one of 4 may have come to wait for the mutex. */
static void *hold(void *with_high)
{
    pthread_t high, middle;

    pthread_mutex_lock(&raising);
    if (with_high) {
        start_with(&high, SCHED_FIFO, 4, note_and_want, "H");
        sched_yield();
    }
    start_with(&middle, SCHED_FIFO, 2, note, "m");
    sched_yield();
    note("h");
    pthread_mutex_unlock(&raising);
    if (with_high)
        pthread_join(high, NULL);
    pthread_join(middle, NULL);
    return NULL;
}

static void raise_by(int protocol, int ceiling, void *with_high)
{
    pthread_mutexattr_t attributes;
    pthread_t holder;

    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, protocol);
    pthread_mutexattr_setprioceiling(&attributes, ceiling);
    pthread_mutex_init(&raising, &attributes);
    memset(order, 0, sizeof order);
    length = 0;
    start_with(&holder, SCHED_FIFO, 1, hold, with_high);
    pthread_join(holder, NULL);
}

static void protocols(void)
{
    int above, ceiling, old;

    raise_by(PTHREAD_PRIO_NONE, 9, NULL);
    printf("no protocol %s, ", order);
    raise_by(PTHREAD_PRIO_PROTECT, 9, NULL);
    mine(SCHED_FIFO, 10);
    above = pthread_mutex_lock(&raising);
    mine(SCHED_FIFO, 5);
    pthread_mutex_setprioceiling(&raising, 8, &old);
    pthread_mutex_getprioceiling(&raising, &ceiling);
    printf("ceiling %s, %d then %d, above it %d, ", order, old, ceiling, above);
    raise_by(PTHREAD_PRIO_INHERIT, 9, &raising);
    printf("inherits %s\n", order);
}

static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;

static void *write_it(void *unused)
{
    pthread_rwlock_wrlock(&shared);
    pthread_rwlock_unlock(&shared);
    return unused;
}

static void readers(void)
{
    pthread_t writer;
    int past, equal;

    pthread_rwlock_rdlock(&shared);
    start_with(&writer, SCHED_FIFO, 3, write_it, NULL);
    usleep(5000); /* it waits */
    past = pthread_rwlock_tryrdlock(&shared);
    mine(SCHED_FIFO, 3);
    equal = pthread_rwlock_tryrdlock(&shared);
    pthread_rwlock_unlock(&shared);
    pthread_rwlock_unlock(&shared);
    pthread_join(writer, NULL);
    printf("reader past a writer %d, behind its equal %d\n", past, equal);
}

int main(void)
{
    attributes_and_errors();
    three("order", note, 0);
    three("lock order", note_with_lock, 1);
    protocols();
    readers();
    return 0;
}
