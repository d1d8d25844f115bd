/*
 * crf_wait.c: objects that threads wait for, and waiting itself.
 *
 * An object's state lies off-die, found by its address; a test-and-set
 * register guards those of a bucket. Who waits sets its bit in the object,
 * looks at its own word for a while and then sleeps until a mail comes. Who
 * lets go hands over to the next rank: no waiting core is passed by.
 */
#include "crf_private.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* How long a core looks before it sleeps: a mail costs about as much. */
#define LOOK 4000u

struct mail {
    uint32_t core;
    uint32_t text[7];
};

static int mails, asked; /* /dev/rckmail, to read and to write */

static uint32_t bucket_of(uint32_t key)
{
    return (key >> 2 ^ key >> 12) % CRF_BUCKETS;
}

struct crf_object *crf_object(const void *at, enum crf_kind kind, int fresh)
{
    uint32_t key = (uint32_t)(uintptr_t)at;
    struct crf_object *bucket = crf_control->object[bucket_of(key)];
    struct crf_object *object = NULL;

    crf_guard(bucket_of(key));
    for (uint32_t n = 0; n < CRF_BUCKET; n++) {
        if (bucket[n].key == key) {
            object = &bucket[n];
            break;
        }
        if (!object && bucket[n].key == 0)
            object = &bucket[n];
    }
    if (!object) {
        crf_unguard(bucket_of(key));
        crf_fail("destroy locks that are not needed any more",
                 "too many locks, barriers and conditions");
    }
    if (fresh || object->key != key || object->kind != kind) {
        object->kind = kind;
        object->holder = object->count = 0;
        object->waiting[0] = object->waiting[1] = 0;
        object->more[0] = object->more[1] = 0;
        object->key = key;
    }
    return object;
}

void crf_object_done(struct crf_object *object)
{
    crf_unguard(bucket_of(object->key));
}

void crf_object_end(struct crf_object *object)
{
    uint32_t bucket = bucket_of(object->key);

    object->key = 0;
    crf_unguard(bucket);
}

void crf_enqueue(struct crf_object *object, volatile uint32_t *mask)
{
    crf_control->wake[crf_my_rank] = 0;
    mask[crf_my_rank / 32] |= 1u << crf_my_rank % 32;
    crf_object_done(object);
}

int crf_dequeue(volatile uint32_t *mask, int after)
{
    uint64_t bits = mask[0] | (uint64_t)mask[1] << 32;
    int rank = after;

    if (!bits)
        return -1;
    do
        rank = (rank + 1) % CRF_CORES;
    while (!(bits >> rank & 1));
    mask[rank / 32] &= ~(1u << rank % 32);
    return rank;
}

int crf_mail(int rank)
{
    struct mail mail = {.core = (uint32_t)crf_core_of[rank]};

    return write(asked, &mail, sizeof mail) == (ssize_t)sizeof mail;
}

/* A full box holds a mail that was not read yet: that one wakes as well. */
void crf_wake(int rank)
{
    crf_control->wake[rank] = 1;
    if (crf_control->asleep[rank])
        (void)crf_mail(rank);
}

void crf_wake_all(void)
{
    for (int rank = 0; rank < crf_all_ranks; rank++)
        if (rank != crf_my_rank && crf_control->asleep[rank])
            (void)crf_mail(rank);
}

void crf_wake_mask(const uint32_t *mask)
{
    for (int rank = 0; rank < crf_all_ranks; rank++)
        if (mask[rank / 32] >> rank % 32 & 1)
            crf_wake(rank);
}

static int woken(void)
{
    if (crf_control->ending)
        _exit(0);
    return crf_control->wake[crf_my_rank] != 0;
}

void crf_pause(void)
{
    for (int turn = 0; turn < 40; turn++)
        __asm__ volatile("");
    crf_watch_while_awake();
}

void crf_sleep(void)
{
    struct mail taken[CRF_CORES];
    uint64_t start = __builtin_ia32_rdtsc();

    while (__builtin_ia32_rdtsc() - start < LOOK) {
        if (woken())
            return;
        crf_pause();
    }
    crf_control->asleep[crf_my_rank] = 1;
    while (!woken()) {
        crf_watch_while_asleep();
        if (read(mails, taken, sizeof taken) < 0 || crf_control->dead)
            crf_watch();
        crf_control->asked[crf_my_rank] = 0;
    }
    crf_control->asleep[crf_my_rank] = 0;
}

/* The time stamp counts while a core sleeps, but no mail would come. */
int crf_sleep_until(uint64_t time_stamp)
{
    while (!woken()) {
        if (__builtin_ia32_rdtsc() >= time_stamp)
            return 0;
        crf_pause();
    }
    return 1;
}

void crf_wait_start(void)
{
    mails = open("/dev/rckmail", O_RDWR);
    asked = open("/dev/rckmail", O_RDWR | O_NONBLOCK);
    if (mails < 0 || asked < 0)
        crf_fail("threads need an SCC of 48 cores", "there are no mailboxes");
}
