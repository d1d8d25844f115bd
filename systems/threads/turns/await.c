/*
 * await.c: a core none of whose threads can go on: it looks for a while, then
 * sleeps until a mail or until the first of them is to be woken.
 */
#include "../threads.h"

#include <errno.h>

/* How long a core looks before it sleeps: a mail costs about as much. Who is
 * the next one for a lock looks longer: as long as others mostly hold one. */
#define LOOK 4000u
#define LOOK_AS_NEXT 100000u

static uint64_t look_until; /* a time stamp */

void crf_expect_soon(void)
{
    look_until = __builtin_ia32_rdtsc() + LOOK_AS_NEXT;
}

/* The time stamp that the first of this core waits for; 0: none does. */
static uint64_t first_time(void)
{
    struct crf_turn *at = crf_turns;
    uint64_t first = 0;

    if (!at)
        return 0;
    do {
        if (at->until && (!first || at->until < first))
            first = at->until;
        at = at->next;
    } while (at != crf_turns);
    return first;
}

/* How long the core may sleep, in milliseconds, so that it is awake in time:
 * 0 not at all, -1 until a mail comes. */
static int sleep_of(uint64_t until)
{
    int64_t rate, left;

    if (!until)
        return -1;
    rate = crf_cycles_of_a_millisecond();
    left = (int64_t)(until - __builtin_ia32_rdtsc());
    return left < 2 * rate ? 0 : (int)(left / rate) - 1;
}

/* A handler of the program's has run here that the kernel called by itself, as
 * at an alarm: who waits for one in pause goes on. */
static void end_pauses(void)
{
    struct crf_turn *at = crf_turns;

    if (!at)
        return;
    do {
        at->interrupted = 1;
        at = at->next;
    } while (at != crf_turns);
}

/* Asleep until a mail comes: one of this core can go on, or will soon. */
static void sleep_here(uint64_t until)
{
    uint32_t signals = crf_own_signals();
    int time = sleep_of(until), before = errno;

    crf_control->asleep[crf_my_rank] = 1;
    if (!crf_look() && time) {
        crf_watch_while_asleep();
        errno = 0;
        if (crf_await_mail(time) && !crf_control->dead)
            crf_expect_soon();
        else if (errno == EINTR && crf_own_signals() == signals)
            end_pauses();
        else
            crf_watch();
        errno = before;
        crf_mails_read();
    }
    crf_control->asleep[crf_my_rank] = 0;
}

/* Waits until one of this core can go on. */
struct crf_turn *crf_await_one(void)
{
    uint64_t start = __builtin_ia32_rdtsc(), until = first_time();
    struct crf_turn *turn;

    while (!(turn = crf_look())) {
        uint64_t now = __builtin_ia32_rdtsc();

        if (now - start < LOOK || now < look_until || !sleep_of(until))
            crf_look_again();
        else
            sleep_here(until);
    }
    look_until = 0;
    return turn;
}
