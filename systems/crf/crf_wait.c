/*
 * crf_wait.c: objects that threads wait for, and waiting itself.
 *
 * An object's state lies off-die, found by its address; a test-and-set
 * register guards those of a bucket. Who waits is the last in the object's
 * queue until it is woken by a word of its own, and its core by a mail, if it
 * sleeps (threads/turns/turn.c). Who lets go hands over to the first one.
 */
#include "crf_private.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "scc/threads.h"

struct mail {
    uint32_t core;
    uint32_t text[7];
};

int crf_is_new;
static int mails, asked; /* /dev/rckmail, to read and to write */

/* Objects in memory that is not shared, such as the libraries' data: those of
 * this core's threads alone. */
#define OWN_BUCKETS 64u
static struct crf_object own[OWN_BUCKETS][CRF_BUCKET];

static uint32_t bucket_of(uint32_t key)
{
    return (key >> 2 ^ key >> 12) % CRF_BUCKETS;
}

static int is_own(const struct crf_object *object)
{
    return (const char *)object >= (const char *)own &&
           (const char *)object < (const char *)own + sizeof own;
}

/* Names are for all: no lock lies below a page, or at an odd address. */
static struct crf_object *open_bucket(uint32_t key)
{
    if (key >= CRF_PAGE && key % 2 == 0 &&
        crf_page_of((const void *)key) == CRF_NO_PAGE)
        return own[bucket_of(key) % OWN_BUCKETS];
    crf_guard(bucket_of(key));
    return crf_control->object[bucket_of(key)];
}

/* Nothing would be lost: it is as one that begins. */
static int is_unused(const struct crf_object *object)
{
    int plain = object->kind == CRF_CONDITION || object->kind == CRF_SPIN ||
                object->kind == CRF_MUTEX;

    return object->key == 0 || (plain && !object->holder &&
                                !object->waiting.first && !object->setting);
}

static struct crf_object *free_one(struct crf_object *bucket)
{
    for (uint32_t n = 0; n < CRF_BUCKET; n++)
        if (is_unused(&bucket[n]))
            return &bucket[n];
    return NULL;
}

struct crf_object *crf_object(const void *at, enum crf_kind kind, int fresh)
{
    uint32_t key = (uint32_t)(uintptr_t)at;
    struct crf_object *bucket = open_bucket(key), *object = NULL;

    for (uint32_t n = 0; n < CRF_BUCKET; n++) {
        if (bucket[n].key == key) {
            object = &bucket[n];
            break;
        }
        if (!object && bucket[n].key == 0)
            object = &bucket[n];
    }
    if (!object)
        object = free_one(bucket);
    if (!object) {
        if (!is_own(bucket))
            crf_unguard(bucket_of(key));
        crf_fail("destroy locks that are not needed any more",
                 "too many locks, barriers and conditions");
    }
    crf_is_new = object->key != key || object->kind != kind;
    if (fresh || crf_is_new) {
        object->kind = kind;
        object->holder = object->count = 0;
        object->waiting.first = object->waiting.last = 0;
        object->others.first = object->others.last = 0;
        object->key = key;
    }
    return object;
}

void crf_object_done(struct crf_object *object)
{
    if (!is_own(object))
        crf_unguard(bucket_of(object->key));
}

void crf_object_end(struct crf_object *object)
{
    uint32_t bucket = bucket_of(object->key);

    object->key = 0;
    if (!is_own(object))
        crf_unguard(bucket);
}

static struct crf_thread *record(uint32_t link)
{
    return &crf_control->thread[link - 1];
}

void crf_enqueue(struct crf_object *object, struct crf_queue *queue)
{
    uint32_t self = crf_self + 1, before = queue->last, behind = 0;

    if (crf_ranked && crf_running->priority)
        before = crf_place_in(queue, &behind);
    record(self)->wake = 0;
    record(self)->next = behind;
    if (before)
        record(before)->next = self;
    else
        queue->first = self;
    if (!behind)
        queue->last = self;
    crf_object_done(object);
}

int crf_dequeue(struct crf_queue *queue)
{
    uint32_t first = queue->first, next;

    if (!first)
        return -1;
    next = record(first)->next;
    queue->first = next;
    if (!next)
        queue->last = 0;
    return (int)first - 1;
}

int crf_leave(struct crf_queue *queue, uint32_t thread)
{
    uint32_t before = 0;

    for (uint32_t at = queue->first; at; at = record(at)->next) {
        if (at != thread + 1) {
            before = at;
            continue;
        }
        if (before)
            record(before)->next = record(at)->next;
        else
            queue->first = record(at)->next;
        if (queue->last == at)
            queue->last = before;
        return 1;
    }
    return 0;
}

uint32_t crf_take_all(struct crf_queue *queue)
{
    uint32_t chain = queue->first;

    queue->first = queue->last = 0;
    return chain;
}

uint32_t crf_count(uint32_t chain)
{
    uint32_t count = 0;

    for (; chain; chain = record(chain)->next)
        count++;
    return count;
}

int crf_mail(int rank)
{
    struct mail mail = {.core = (uint32_t)crf_core_of[rank]};

    return write(asked, &mail, sizeof mail) == (ssize_t)sizeof mail;
}

/* A full box holds a mail that was not read yet: that one wakes as well. */
void crf_wake(int thread)
{
    int rank = thread % crf_all_ranks;

    crf_control->thread[thread].wake = 1;
    if (crf_control->asleep[rank])
        (void)crf_mail(rank);
}

void crf_rouse(int thread)
{
    int rank = thread % crf_all_ranks;

    if (crf_control->asleep[rank])
        (void)crf_mail(rank);
}

/* Who is woken may wait anew at once, in another queue. */
void crf_wake_chain(uint32_t chain)
{
    while (chain) {
        uint32_t next = record(chain)->next;

        crf_wake((int)chain - 1);
        chain = next;
    }
}

void crf_wake_all(void)
{
    for (int rank = 0; rank < crf_all_ranks; rank++)
        if (rank != crf_my_rank && crf_control->asleep[rank])
            (void)crf_mail(rank);
}

void crf_look_again(void)
{
    for (int turn = 0; turn < 40; turn++)
        __asm__ volatile("");
    crf_watch_while_awake();
}

void crf_pause(void)
{
    crf_look_again();
    crf_yield();
}

static int reads_mail;

/* In a wait of another library: poll, too, may be one's that goes on with its
 * own work meanwhile (systems/tcpip), and returns at no alarm. */
static int let_others_run(void)
{
    static uint32_t seen;

    if (seen != crf_alarms) {
        seen = crf_alarms;
        crf_watch();
    }
    if (reads_mail)
        return 0;
    crf_yield();
    return !crf_is_alone();
}

int crf_read_mail(int milliseconds)
{
    struct pollfd box = {.fd = mails, .events = POLLIN};
    struct mail taken[CRF_CORES];
    uint32_t interrupts;
    int ready;

    reads_mail = 1;
    do {
        interrupts = crf_interrupts;
        ready = poll(&box, 1, milliseconds);
    } while (ready < 0 && crf_interrupts != interrupts);
    reads_mail = 0;
    if (ready > 0)
        ready = read(mails, taken, sizeof taken) >= 0 ? 1 : -1;
    return ready >= 0;
}

void crf_wait_start(void)
{
    mails = scc_open_mail(O_RDWR);
    asked = scc_open_mail(O_RDWR | O_NONBLOCK);
    if (mails < 0 || asked < 0)
        crf_fail("threads need an SCC of 48 cores", "there are no mailboxes");
    scc_let_others_run = let_others_run;
}

void crf_mails_interrupt(void)
{
    fcntl(mails, F_SETFL, O_ASYNC);
}
