/*
 * signal.c: signals are the program's. What is wanted done at one holds for all
 * threads: cores take it over before they start one, and before they take a
 * signal. One that is sent to the process goes to a thread that waits for it,
 * else to one that does not block it.
 */
#include "../threads.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MASK_BYTES 8u
#define MASK 3 /* where in an action the mask is: two words */
#define WORDS (sizeof(struct crf_action) / sizeof(uint32_t))

int crf_handlers;
static uint32_t known;

/* The library's own are each core's. */
static int is_programs(uint32_t number)
{
    return number > 0 && number < CRF_SIGNALS && number != SIGSEGV &&
           number != SIGALRM && number != SIGIO && number != SIGTRAP;
}

static void look_for_signals(void)
{
    crf_handlers = 1;
    crf_interrupts_start();
}

static void action_set(uint32_t number, const uint32_t *action)
{
    volatile uint32_t *kept;

    if (!is_programs(number) || !action)
        return;
    kept = crf_control->action[number].word;
    for (uint32_t n = 0; n < WORDS; n++)
        kept[n] = action[n];
    crf_control->actions_set++;
    look_for_signals();
}

static int32_t tell_kernel(uint32_t number, const volatile uint32_t *action,
                           uint32_t before)
{
    uint32_t copy[WORDS];
    const struct crf_call call = {.number = SYS_rt_sigaction,
                                  .first = number,
                                  .second = action ? (uint32_t)copy : 0,
                                  .third = before,
                                  .fourth = MASK_BYTES};

    for (uint32_t n = 0; action && n < WORDS; n++)
        copy[n] = action[n];
    if (action)
        copy[MASK] = *crf_mask_for_kernel(&copy[MASK]);
    return crf_kernel_call(&call);
}

void crf_actions_take(void)
{
    uint32_t now = crf_control->actions_set;

    for (uint32_t number = 1; now != known && number < CRF_SIGNALS; number++)
        if (crf_control->action[number].word[0])
            tell_kernel(number, crf_control->action[number].word, 0);
    if (now != known)
        look_for_signals();
    known = now;
}

/* Under the guard of all threads' records. */
static int waits_for(const struct crf_thread *thread, uint32_t bit)
{
    return (thread->state == CRF_RUNS || thread->state == CRF_NEW) &&
           thread->awaits & bit;
}

static int takes(const struct crf_thread *thread, uint32_t bit)
{
    return (thread->state == CRF_RUNS || thread->state == CRF_NEW) &&
           !(thread->mask & bit);
}

static int find(int (*fits)(const struct crf_thread *, uint32_t), uint32_t bit)
{
    if (fits(crf_self_record(), bit))
        return (int)crf_self;
    for (uint32_t n = 0; n <= crf_control->last_thread; n++)
        if (fits(&crf_control->thread[n], bit))
            return (int)n;
    return -1;
}

/* To the process. If all block it, the first one takes it that does not. */
static int32_t send(uint32_t number)
{
    uint32_t action = crf_control->action[number].word[0], bit = 1u << number;
    struct crf_object *guard = crf_object(CRF_ALL_THREADS, CRF_THREAD, 0);
    int thread = find(waits_for, bit);

    if (thread < 0 && action != (uint32_t)SIG_IGN)
        thread = find(takes, bit);
    if (thread < 0 && action != (uint32_t)SIG_IGN)
        crf_control->signals |= bit;
    if (thread >= 0)
        crf_control->thread[thread].signals |= bit;
    crf_object_done(guard);
    if (thread == (int)crf_self)
        crf_take_signals();
    else if (thread >= 0)
        crf_tell_signal(thread);
    return 0;
}

/* What nobody has a use for does what the kernel does. */
static int is_wanted(uint32_t number)
{
    return is_programs(number) && (crf_control->action[number].word[0] ||
                                   crf_running->mask >> number & 1 ||
                                   find(waits_for, 1u << number) >= 0);
}

static void block(uint32_t mask)
{
    crf_mask_tell(mask);
    crf_mask_load(mask);
}

/* Until a handler has run. */
static int32_t suspend(uint32_t mask)
{
    uint32_t before = crf_running->mask, handled = crf_running->handled;

    block(mask);
    crf_running->interrupted = 0;
    crf_take_signals();
    while (crf_running->handled == handled && !crf_running->interrupted) {
        crf_release();
        crf_wait_for_signals(~mask);
        pthread_testcancel();
        crf_take_signals();
    }
    block(before);
    return -EINTR;
}

static int kill_call(const struct crf_call *call, int32_t *result)
{
    const struct crf_call here = {.number = SYS_kill, .second = call->second};
    uint32_t process = call->first, number = call->second;

    if (process && process != crf_control->process)
        return 0;
    if (crf_running && number < CRF_SIGNALS && is_wanted(number)) {
        crf_release_to(&crf_control->signals);
        *result = send(number);
    } else {
        *result = crf_kernel_call(&here);
    }
    return 1;
}

/* Each core's kernel has one of its own. */
pid_t getpid(void)
{
    return (pid_t)crf_control->process;
}

/* System calls about signals: false if the kernel is to answer. */
int crf_signal_call(const struct crf_call *call, int32_t *result)
{
    const uint32_t *action = (const uint32_t *)call->second;

    if (call->number == SYS_rt_sigaction) {
        action_set(call->first, action);
        *result = tell_kernel(call->first, action, call->third);
        return 1;
    }
    if (call->number == SYS_kill)
        return kill_call(call, result);
    if (!crf_running)
        return 0;
    switch (call->number) {
    case SYS_rt_sigprocmask:
        *result = crf_mask_call(call);
        return 1;
    case SYS_pause:
        *result = suspend(crf_running->mask);
        return 1;
    case SYS_rt_sigsuspend:
        *result = suspend(*(const uint32_t *)call->first << 1);
        return 1;
    default:
        return 0;
    }
}
