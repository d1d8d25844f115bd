/*
 * wait.c: how a thread waits: until it is woken, for a time, or in the queue of
 * an object. Others of its core run meanwhile.
 */
#include "../../crf/pages/pages.h"
#include "../threads.h"

/* What it has written is to be seen while it waits. */
static void publish_and_wait(uint64_t until)
{
    crf_release();
    crf_wait(until);
}

void crf_sleep(void)
{
    publish_and_wait(0);
}

void crf_sleep_until(uint64_t time_stamp)
{
    crf_running->cancellable = crf_cancellable();
    publish_and_wait(time_stamp);
    crf_running->cancellable = 0;
}

int crf_sleep_at(const void *at, enum crf_kind kind, uint64_t until,
                 int cancellable)
{
    struct crf_object *object;
    int left;

    crf_running->cancellable = cancellable;
    publish_and_wait(until);
    crf_running->cancellable = 0;
    if (crf_control->thread[crf_self].wake)
        return 1;
    object = crf_object(at, kind, 0);
    left = crf_leave(&object->waiting, crf_self) ||
           (kind == CRF_READ_WRITE && crf_leave(&object->others, crf_self));
    crf_object_done(object);
    if (!left) /* it is woken after all */
        crf_sleep();
    return !left;
}

/* Others of this core may run meanwhile. In a signal's handler, what the thread
 * waited for may come meanwhile: that stays. */
void crf_rest(uint32_t cycles)
{
    if (!crf_running->handles)
        crf_control->thread[crf_self].wake = 0;
    crf_running->cancellable = 1;
    crf_wait(__builtin_ia32_rdtsc() + cycles);
    crf_running->cancellable = 0;
}
