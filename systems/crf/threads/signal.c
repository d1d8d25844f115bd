/*
 * signal.c: what a program wants done at a signal holds for all its threads:
 * cores take it over before they start one.
 */
#include "threads.h"

#include <signal.h>
#include <sys/syscall.h>

#define MASK_BYTES 8u
#define WORDS (sizeof(struct crf_action) / sizeof(uint32_t))

static uint32_t known;

/* The library's own are each core's. */
static int is_programs(uint32_t number)
{
    return number > 0 && number < CRF_SIGNALS && number != SIGSEGV &&
           number != SIGALRM;
}

void crf_action_set(uint32_t number, const uint32_t *action)
{
    volatile uint32_t *kept;

    if (!is_programs(number) || !action)
        return;
    kept = crf_control->action[number].word;
    for (uint32_t n = 0; n < WORDS; n++)
        kept[n] = action[n];
    crf_control->actions_set++;
}

void crf_actions_take(void)
{
    uint32_t now = crf_control->actions_set;

    for (uint32_t number = 1; now != known && number < CRF_SIGNALS; number++) {
        const struct crf_call call = {
            .number = SYS_rt_sigaction,
            .first = number,
            .second = (uint32_t)crf_control->action[number].word,
            .fourth = MASK_BYTES};

        if (crf_control->action[number].word[0])
            crf_kernel_call(&call);
    }
    known = now;
}
