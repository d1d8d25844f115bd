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
#include "process/cpu_time.h"
#include "process/process.h"
#include "process/signal.h"
#include "process/thread.h"

#define SHORTEST 1000u /* nanoseconds: 0 microseconds would be no alarm */

/* setitimer's three: the first counts real time, the others the processor time
 * of the process, all of which is time of the program. */
static struct alarm {
    u64 due; /* on its clock, nanoseconds, or NEVER */
    u64 interval;
    u32 signal;
    s32 whose;
} alarms[ALARMS] = {
    {NEVER, 0, SIGALRM, CPU_OF_NOBODY},
    {NEVER, 0, SIGVTALRM, CPU_OF_PROCESS},
    {NEVER, 0, SIGPROF, CPU_OF_PROCESS},
};
static bool alarmed; /* one of them is due some time */
static u64 sleep_time = NEVER;

static u64 next_alarm(u64 now)
{
    u64 next = NEVER;

    for (u32 n = 0; alarmed && n < ALARMS; n++) {
        u64 due = time_due(alarms[n].whose, alarms[n].due, now);

        if (due < next)
            next = due;
    }
    return next;
}

void timer_start(void)
{
    u64 due = threading ? threads_next_time() : sleep_time;
    u64 now = clock_nanoseconds();
    u64 alarm = next_alarm(now);
    u64 own = posix_timers_next(now);
    u64 cycles;

    if (alarm < due)
        due = alarm;
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

static bool is_due_some_time(const struct alarm *alarm)
{
    return alarm->due != NEVER;
}

static void find_alarms(void)
{
    alarmed = false;
    for (u32 n = 0; n < ALARMS; n++)
        alarmed = alarmed || is_due_some_time(&alarms[n]);
}

/* Whether an alarm counts processor time. */
bool timer_of_cpu(void)
{
    return alarmed &&
           (is_due_some_time(&alarms[1]) || is_due_some_time(&alarms[2]));
}

static void check_alarms(void)
{
    for (u32 n = 0; alarmed && n < ALARMS; n++) {
        struct alarm *alarm = &alarms[n];
        u64 now = time_of(alarm->whose);

        if (alarm->due > now)
            continue;
        signal_send(alarm->signal, SI_KERNEL, 0);
        if (alarm->interval == 0)
            alarm->due = NEVER;
        while (alarm->due <= now)
            alarm->due += alarm->interval;
    }
    find_alarms();
}

void timer_interrupt(void)
{
    u64 now = clock_nanoseconds();

    apic_end_of_interrupt();
    check_alarms();
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
        cpu_wait();
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
    cpu_wait();
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
    u64 now = time_of(alarm->whose);

    *value = alarm->due == NEVER ? 0 : SHORTEST;
    if (alarm->due != NEVER && alarm->due > now + SHORTEST)
        *value = alarm->due - now;
    *interval = alarm->interval;
}

void timer_set_alarm(u32 number, u64 value, u64 interval)
{
    struct alarm *alarm = &alarms[number];

    alarm->due = value ? time_of(alarm->whose) + value : NEVER;
    alarm->interval = interval;
    find_alarms();
    timer_start();
}
