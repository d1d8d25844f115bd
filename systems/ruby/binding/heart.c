/* Whether another core still runs, however it may have ended.
 *
 * Each core that asks for a heart has a thread which changes the core's word
 * in the shared memory, whatever Ruby's own threads do. A word that stands
 * still is that of a core that has ended, without last words perhaps. A core
 * that never had a heart has 0.
 */
#include "binding.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "scc/claim.h"
#include "scc/map.h"
#include "scc/memory_map.h"

#define BEAT_NS 50000000l
/* The last page of the shared memory. */
#define OWNER "drb/rcce"
#define BYTES 4096
#define OFFSET (SCC_SHARED_SIZE - BYTES)

SCC_PLAN(page, SCC_SHARED, SCC_ALONE, OFFSET, BYTES, OWNER);

static volatile uint32_t *hearts; /* a word of each UE; BYTES hold all */
static pthread_t thread;
static volatile int beats;

static void *beat(void *given)
{
    const struct timespec pause = {.tv_nsec = BEAT_NS};
    volatile uint32_t *own = given;

    while (beats) {
        *own = *own + 1 ? *own + 1 : 1;
        nanosleep(&pause, NULL);
    }
    return NULL;
}

uint32_t rcce_ruby_heart(int ue)
{
    return hearts && ue >= 0 ? hearts[ue] : 0;
}

/* RCCE.beat: gives this core a heart; false if there is no shared memory. */
static VALUE start(VALUE self)
{
    sigset_t all, before;

    (void)self;
    rcce_ruby_begun();
    if (!hearts) {
        scc_claim(SCC_SHARED, SCC_ALONE, OFFSET, BYTES, OWNER);
        hearts = scc_map(SCC_UNCACHED, SCC_SHARED_BASE + OFFSET, BYTES);
    }
    if (!hearts || beats)
        return hearts ? Qtrue : Qfalse;
    /* Signals are for Ruby's threads. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    beats = 1;
    if (pthread_create(&thread, NULL, beat, (void *)&hearts[RCCE_ue()]) != 0)
        beats = 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return beats ? Qtrue : Qfalse;
}

void rcce_ruby_heart_stop(void)
{
    if (beats) {
        beats = 0;
        pthread_join(thread, NULL);
    }
}

/* RCCE.heart(ue): a number that changes while the UE runs; 0: it has none. */
static VALUE heart(VALUE self, VALUE ue)
{
    (void)self;
    return UINT2NUM(rcce_ruby_heart(rcce_ruby_ue(ue)));
}

void rcce_ruby_define_heart(VALUE module)
{
    rb_define_singleton_method(module, "beat", start, 0);
    rb_define_singleton_method(module, "heart", heart, 1);
}
