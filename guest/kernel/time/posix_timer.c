/* timer_create and its family: timers that send a signal, or are read. The
 * APIC's one timer serves them all (timer.c). A timer whose signal nobody has
 * taken yet does not interrupt again: when the signal is taken, the expirations
 * that it stands for are counted. So a short interval cannot keep the program
 * from running. */
#include "abi/abi.h"
#include "drivers/drivers.h"
#include "lib/divide.h"
#include "lib/types.h"
#include "process/cpu_time.h"
#include "process/process.h"
#include "process/signal.h"
#include "process/thread.h"

#define TIMERS 32u

struct posix_timer {
    bool used;
    bool sent; /* and not taken yet: `due` is the expiration it was sent for */
    struct timer_event event;
    u64 due; /* on its clock, nanoseconds, or NEVER */
    u64 interval;
    u32 overruns; /* expirations that one signal stands for, but the first */
};

static struct posix_timer timers[TIMERS];
static u64 next_due = NEVER; /* of those of real time */
static bool of_cpu;          /* one interrupts that counts processor time */

static bool interrupts(const struct posix_timer *timer)
{
    return timer->used && !timer->sent &&
           (timer->event.signal || timer->event.counted);
}

static void find_next(void)
{
    next_due = NEVER;
    of_cpu = false;
    for (u32 n = 0; n < TIMERS; n++) {
        const struct posix_timer *timer = &timers[n];

        if (!interrupts(timer) || timer->due == NEVER)
            continue;
        if (timer->event.whose != CPU_OF_NOBODY)
            of_cpu = true;
        else if (timer->due < next_due)
            next_due = timer->due;
    }
}

bool posix_timers_of_cpu(void)
{
    return of_cpu;
}

/* When the next of them interrupts if the clocks go on as they do now. */
u64 posix_timers_next(u64 now)
{
    u64 next = next_due;

    for (u32 n = 0; of_cpu && n < TIMERS; n++) {
        u64 due = time_due(timers[n].event.whose, timers[n].due, now);

        if (interrupts(&timers[n]) && due < next)
            next = due;
    }
    return next;
}

static struct posix_timer *timer_of(u32 number)
{
    return number < TIMERS && timers[number].used ? &timers[number] : NULL;
}

/* The first expiration after now; how many there were before it. */
static u32 advance(struct posix_timer *timer, u64 now)
{
    u64 missed = 0;

    if (timer->due > now) /* the clock's thread has ended */
        return 1;
    if (timer->interval == 0) {
        timer->due = NEVER;
        return 1;
    }
    if (timer->interval <= 0xFFFFFFFFu)
        missed = divide(now - timer->due, (u32)timer->interval, NULL);
    timer->due += missed * timer->interval;
    for (; timer->due <= now; timer->due += timer->interval)
        missed++;
    return (u32)missed;
}

static bool send(struct posix_timer *timer)
{
    const struct timer_event *event = &timer->event;
    struct sent_signal sent = {.code = SI_TIMER,
                               .first = (u32)(timer - timers),
                               .value = event->value};
    struct thread *thread = event->thread ? thread_of(event->thread) : NULL;

    if (event->counted) {
        thread_event();
        return true;
    }
    if (!event->signal)
        return false;
    if (!event->thread)
        return signal_send_with(event->signal, sent);
    return thread && signal_send_thread(thread, event->signal, sent);
}

/* The signal of a timer is about to be handled: how many expirations it stands
 * for beside the first. */
u32 posix_timer_taken(u32 number)
{
    struct posix_timer *timer = timer_of(number);

    if (!timer || !timer->sent)
        return 0;
    timer->sent = false;
    timer->overruns = advance(timer, time_of(timer->event.whose)) - 1;
    find_next();
    timer_start();
    return timer->overruns;
}

/* Whether there is an expiration that nobody has taken. */
bool posix_timer_expired(u32 number)
{
    const struct posix_timer *timer = timer_of(number);

    posix_timers_check(clock_nanoseconds());
    return timer && timer->sent;
}

/* Nobody takes the signals of that number that were sent. */
void posix_timers_forget(u32 signal)
{
    for (u32 n = 0; n < TIMERS; n++)
        if (!timers[n].event.counted && timers[n].event.signal == signal)
            posix_timer_taken(n);
}

void posix_timers_check(u64 now)
{
    if (next_due > now && !of_cpu)
        return;
    for (u32 n = 0; n < TIMERS; n++) {
        struct posix_timer *timer = &timers[n];

        if (!timer->used || timer->sent || timer->due == NEVER ||
            timer->due > time_of(timer->event.whose))
            continue;
        timer->sent = send(timer);
        if (!timer->sent)
            advance(timer, time_of(timer->event.whose));
    }
    find_next();
}

s32 posix_timer_new(const struct timer_event *event)
{
    for (u32 n = 0; n < TIMERS; n++)
        if (!timers[n].used) {
            timers[n] = (struct posix_timer){
                .used = true, .event = *event, .due = NEVER};
            if (!event->value_given)
                timers[n].event.value = n;
            return (s32)n;
        }
    return -EAGAIN;
}

/* What is left until the next expiration, 0 if there is none; the interval. */
s32 posix_timer_get(u32 number, u64 *left, u64 *interval)
{
    const struct posix_timer *timer = timer_of(number);
    struct posix_timer next;
    u64 now;

    if (!timer)
        return -EINVAL;
    now = time_of(timer->event.whose);
    next = *timer;
    if (next.due <= now)
        advance(&next, now);
    *left = next.due == NEVER ? 0 : next.due - now;
    *interval = timer->interval;
    return 0;
}

/* Expires after the time, or at it; a time of 0 stops the timer. */
s32 posix_timer_set(u32 number, u64 time, bool absolute, u64 interval)
{
    struct posix_timer *timer = timer_of(number);
    u64 now, passed = 0;

    if (!timer)
        return -EINVAL;
    now = time_of(timer->event.whose);
    if (absolute)
        passed = timer->event.by_date ? clock_epoch_nanoseconds() : now;
    timer->sent = false;
    timer->due = time == 0 ? NEVER : now + (time > passed ? time - passed : 0);
    timer->interval = interval;
    timer->overruns = 0;
    find_next();
    timer_start();
    return 0;
}

s32 posix_timer_overruns(u32 number)
{
    const struct posix_timer *timer = timer_of(number);

    return timer ? (s32)timer->overruns : -EINVAL;
}

s32 posix_timer_delete(u32 number)
{
    if (!timer_of(number))
        return -EINVAL;
    timers[number].used = false;
    find_next();
    return 0;
}

/* Another program follows, which may have the files. */
void posix_timers_leave(void)
{
    for (u32 n = 0; n < TIMERS; n++)
        timers[n].used = timers[n].used && timers[n].event.counted;
    find_next();
}
