/*
 * transaction.c: optimistic transactions that no core coordinates.
 *
 * A transaction works on copies: a kept version, whether or not it is the head
 * (nobody knows), or the head, fetched. To commit it locks at their holders the
 * heads of all that it wrote, if they are what it read; then it asks the
 * holders of all else that it read whether that is still the head and not
 * locked; then it installs its versions. Between the last lock and the first
 * answer no object of it can change: that is where it stands in the order.
 * A lock that is refused ends it, so that nobody waits for a lock.
 */
#include "RCCE.h"
#include "chip.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CALLS = 20000, SHORTEST_PAUSE = 16, MOST_DOUBLINGS = 6 };

struct touched {
    struct jcell_node node;
    int32_t version;
    short object;
    bool from_cache, written, locked, outdated, refused;
    uint8_t holder;
};

struct jcell_counts jcell_counted;
static struct touched touched[JCELL_MOST_TOUCHED];
static int touched_count, calls, awaited;
static short *at; /* by object: its place in `touched`, -1 if none */
static int objects;
static bool preparing;
static FILE *log_file;
static jmp_buf astray;
static struct mail fetched;

bool jcell_open(int object_count, int cache, int depth, FILE *log)
{
    objects = object_count;
    log_file = log;
    jcell_depth = depth;
    jcell_objects = calloc((size_t)objects, sizeof *jcell_objects);
    at = malloc((size_t)objects * sizeof *at);
    if (objects > JCELL_MOST_OBJECTS || cache < 1 || depth < 1 || !at ||
        !jcell_objects || !jcell_cache_open(objects, cache))
        return false;
    for (int i = 0; i < objects; i++) {
        int home = i % RCCE_num_ues();

        at[i] = -1;
        jcell_objects[i].head_at = home == RCCE_ue() ? HERE : (uint8_t)home;
        jcell_objects[i].before = jcell_objects[i].lock = NOBODY;
    }
    return jcell_mail_open();
}

static void wait_for_answers(void)
{
    while (awaited)
        jcell_serve();
}

void jcell_answered(const struct mail *mail)
{
    struct touched *it;

    awaited--;
    if (mail->kind == VALUE) {
        fetched = *mail;
        return;
    }
    it = &touched[at[mail->object]];
    it->holder = mail->holder;
    it->outdated = mail->version != it->version;
    it->refused = mail->answer != YES;
    it->locked = mail->kind == LOCKED && mail->answer == YES;
    jcell_counted.busy += mail->answer == BUSY;
}

/* On versions that do not belong together a tree can be anything. */
static void stray(void)
{
    longjmp(astray, 1);
}

static struct touched *touch(int object)
{
    struct touched *it;
    const struct jcell_node *kept;

    if (object <= 0 || object >= objects || ++calls > MOST_CALLS)
        stray();
    if (at[object] >= 0)
        return &touched[at[object]];
    if (touched_count == JCELL_MOST_TOUCHED)
        stray();
    it = &touched[touched_count];
    *it = (struct touched){.object = (short)object};
    kept = jcell_cached(object, &it->version);
    if (kept) {
        it->node = *kept;
        it->from_cache = true;
    } else {
        awaited = 1;
        jcell_ask(FETCH, object, 0);
        wait_for_answers();
        it->node = fetched.node;
        it->version = fetched.version;
        jcell_keep(object, &it->node, it->version);
        jcell_counted.hops[fetched.hops < 7 ? fetched.hops : 7]++;
    }
    at[object] = (short)touched_count++;
    return it;
}

/* Before the first transaction each core makes the same tree for itself, of
 * which the holders' nodes count. */
void jcell_prepare(void (*body)(void *), void *argument)
{
    preparing = true;
    body(argument);
    preparing = false;
    RCCE_barrier(&RCCE_COMM_WORLD);
}

const struct jcell_node *jcell_load(int object)
{
    if (preparing)
        return &jcell_objects[object].node;
    return &touch(object)->node;
}

struct jcell_node *jcell_store(int object)
{
    struct touched *it;

    if (preparing)
        return &jcell_objects[object].node;
    it = touch(object);
    it->written = true;
    return &it->node;
}

/* Ask for all that was written, or all that was only read. */
static bool ask_all(enum kind kind, bool written)
{
    bool granted = true;

    for (int i = 0; i < touched_count; i++)
        awaited += touched[i].written == written;
    for (int i = 0; i < touched_count; i++)
        if (touched[i].written == written)
            jcell_ask(kind, touched[i].object, touched[i].version);
    wait_for_answers();
    for (int i = 0; i < touched_count; i++)
        if (touched[i].written == written)
            granted &= !touched[i].refused;
    return granted;
}

static void write_log(void)
{
    if (!log_file)
        return;
    fprintf(log_file, "t %d\n", touched_count);
    for (int i = 0; i < touched_count; i++)
        fprintf(log_file, "%c %d %ld\n", touched[i].written ? 'w' : 'r',
                touched[i].object, (long)touched[i].version);
}

static void settle(bool granted)
{
    for (int i = 0; i < touched_count; i++) {
        struct touched *it = &touched[i];

        jcell_counted.good += it->from_cache && !it->outdated;
        jcell_counted.bad += it->from_cache && it->outdated;
        if (it->outdated)
            jcell_drop(it->object);
        if (granted && it->written) {
            int version = it->version + 1;

            jcell_install(it->object, &it->node, version, it->holder);
            jcell_keep(it->object, &it->node, version);
            jcell_counted.written++;
        } else if (it->locked) {
            jcell_unlock(it->object, it->holder);
        }
    }
}

static bool commit(void)
{
    /* The second question is asked in any case: its answer contains what is outdated. */
    bool granted = ask_all(LOCK, true);

    granted &= ask_all(CHECK, false);
    jcell_counted.accesses += touched_count;
    if (granted)
        write_log();
    settle(granted);
    *(granted ? &jcell_counted.committed : &jcell_counted.aborted) += 1;
    return granted;
}

static void forget(void)
{
    for (int i = 0; i < touched_count; i++)
        at[touched[i].object] = -1;
    touched_count = calls = 0;
}

/* What led astray is dropped, whatever of it was outdated. */
static void drop_all(void)
{
    for (int i = 0; i < touched_count; i++)
        jcell_drop(touched[i].object);
    jcell_counted.doomed++;
}

/* Serves the others for a while, twice as long after each failure. */
static void back_off(int failures)
{
    static unsigned random;
    int doublings = failures < MOST_DOUBLINGS ? failures : MOST_DOUBLINGS;
    unsigned rounds = (unsigned)SHORTEST_PAUSE << doublings;

    random = random * 1664525u + 1013904223u + (unsigned)RCCE_ue();
    for (unsigned i = 0; i < (random >> 16) % rounds; i++)
        jcell_serve();
}

static bool attempt(void (*body)(void *), void *argument)
{
    if (setjmp(astray)) {
        drop_all();
        return false;
    }
    body(argument);
    return commit();
}

void jcell_transaction(void (*body)(void *), void *argument)
{
    int failures = 0;

    while (!attempt(body, argument)) {
        forget();
        back_off(failures++);
    }
    forget();
    jcell_serve();
}

void jcell_close(void)
{
    struct mail mail = {.kind = DONE};

    if (RCCE_ue() == 0) {
        while (jcell_finished < RCCE_num_ues() - 1)
            jcell_serve();
        mail.kind = STOP;
        for (int ue = 1; ue < RCCE_num_ues(); ue++)
            jcell_mail(ue, &mail);
    } else {
        jcell_mail(0, &mail);
        while (!jcell_stopped)
            jcell_serve();
    }
    /* What waits still is passed on; a few rounds empty every queue. */
    for (int round = 0; round < 64; round++)
        jcell_serve();
    RCCE_barrier(&RCCE_COMM_WORLD);
}

const struct jcell_counts *jcell_counts(void)
{
    return &jcell_counted;
}
