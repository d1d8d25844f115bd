/* Sleeping, and the program's alarms (setitimer, alarm).
 *
 * There is no periodic tick: the APIC timer is started for the one instant
 * that somebody waits for, so a core that computes is never disturbed and a
 * core that sleeps costs nothing.
 */
#include "abi/abi_signal.h"
#include "drivers/drivers.h"
#include "lib/types.h"
#include "lib/x86.h"
#include "process/process.h"
#include "process/signal.h"
#include "process/thread.h"

#define SHORTEST 1000u /* nanoseconds: 0 microseconds would be no alarm */

/* setitimer's three: they count alike, and each has a signal of its own. */
static struct alarm {
    u64 due; /* nanoseconds since reset, or NEVER */
    u64 interval;
    u32 signal;
} alarms[ALARMS] = {
    {NEVER, 0, SIGALRM}, {NEVER, 0, SIGVTALRM}, {NEVER, 0, SIGPROF}};
static u64 alarm_time = NEVER; /* when the next of them is due */
static u64 sleep_time = NEVER;

void timer_start(void)
{
    u64 others = threading ? threads_next_time() : sleep_time;
    u64 own = posix_timers_next();
    u64 due = alarm_time < others ? alarm_time : others;
    u64 now = clock_nanoseconds();
    u64 cycles;

    if (own < due)
        due = own;
    if (due == NEVER) {
        apic_timer_start(0);
        return;
    }
    cycles = due > now ? cycles_from_nanoseconds(due - now) : 0;
    /* A zero would stop the timer. A wait beyond 2^32 cycles takes several
     * rounds: each interrupt starts the next. */
    if (cycles == 0)
        cycles = 1;
    if (cycles > 0xFFFFFFFFu)
        cycles = 0xFFFFFFFFu;
    apic_timer_start((u32)cycles);
}

static void find_next_alarm(void)
{
    alarm_time = NEVER;
    for (u32 n = 0; n < ALARMS; n++)
        if (alarms[n].due < alarm_time)
            alarm_time = alarms[n].due;
}

static void check_alarms(u64 now)
{
    if (alarm_time > now)
        return;
    for (u32 n = 0; n < ALARMS; n++) {
        struct alarm *alarm = &alarms[n];

        if (alarm->due > now)
            continue;
        signal_send(alarm->signal, SI_KERNEL, 0);
        if (alarm->interval == 0)
            alarm->due = NEVER;
        while (alarm->due <= now)
            alarm->due += alarm->interval;
    }
    find_next_alarm();
}

void timer_interrupt(void)
{
    u64 now = clock_nanoseconds();

    apic_end_of_interrupt();
    check_alarms(now);
    posix_timers_check(now);
    if (threading)
        thread_due(now);
    /* The sleeper looks at the clock itself. Starting the timer again for a
     * time that is over would interrupt it before its next instruction. */
    if (sleep_time <= now)
        sleep_time = NEVER;
    timer_start();
}

static bool sleep_while_others_run(u64 until)
{
    while (clock_nanoseconds() < until) {
        if (signal_waiting())
            return false;
        thread_wait(WAIT_TIME, until);
    }
    return true;
}

/* Waits for the instant; false when a signal ended the wait before it. */
bool timer_sleep_until(u64 nanoseconds)
{
    bool interrupted = false;

    if (threading)
        return sleep_while_others_run(nanoseconds);
    sleep_time = nanoseconds;
    timer_start();
    while (clock_nanoseconds() < nanoseconds) {
        if (signal_waiting()) {
            interrupted = true;
            break;
        }
        wait_for_interrupt();
    }
    sleep_time = NEVER;
    timer_start();
    return !interrupted;
}

/* Waits for the next interrupt, at most until the instant. */
void timer_wait(u64 nanoseconds)
{
    if (threading) {
        thread_wait(WAIT_ANY, nanoseconds);
        return;
    }
    sleep_time = nanoseconds;
    timer_start();
    wait_for_interrupt();
    sleep_time = NEVER;
    timer_start();
}

/* Waits for whatever comes; without an alarm that is for ever. */
void timer_idle(void)
{
    timer_wait(NEVER);
}

void timer_get_alarm(u32 number, u64 *value, u64 *interval)
{
    const struct alarm *alarm = &alarms[number];
    u64 now = clock_nanoseconds();

    *value = alarm->due == NEVER ? 0 : SHORTEST;
    if (alarm->due != NEVER && alarm->due > now + SHORTEST)
        *value = alarm->due - now;
    *interval = alarm->interval;
}

void timer_set_alarm(u32 number, u64 value, u64 interval)
{
    struct alarm *alarm = &alarms[number];

    alarm->due = value ? clock_nanoseconds() + value : NEVER;
    alarm->interval = interval;
    find_next_alarm();
    timer_start();
}
