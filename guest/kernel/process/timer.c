/* Sleeping, and the program's alarm (setitimer, alarm).
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

static u64 alarm_time = NEVER; /* clock_nanoseconds of the next SIGALRM */
static u64 alarm_interval;
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

static void check_alarm(u64 now)
{
    if (alarm_time > now)
        return;
    signal_send(SIGALRM, SI_KERNEL, 0);
    if (alarm_interval == 0) {
        alarm_time = NEVER;
        return;
    }
    while (alarm_time <= now)
        alarm_time += alarm_interval;
}

void timer_interrupt(void)
{
    u64 now = clock_nanoseconds();

    apic_end_of_interrupt();
    check_alarm(now);
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

void timer_get_alarm(u64 *value, u64 *interval)
{
    u64 now = clock_nanoseconds();

    *value = alarm_time == NEVER ? 0 : 1;
    if (alarm_time != NEVER && alarm_time > now)
        *value = alarm_time - now;
    *interval = alarm_interval;
}

void timer_set_alarm(u64 value, u64 interval, u64 *old_value, u64 *old_interval)
{
    timer_get_alarm(old_value, old_interval);
    alarm_time = value ? clock_nanoseconds() + value : NEVER;
    alarm_interval = interval;
    timer_start();
}
