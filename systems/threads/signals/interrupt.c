/*
 * interrupt.c: a thread that computes takes its signals, and a cancellation if
 * it may be at any time: who sends one mails, and the mail interrupts.
 *
 * Only the program's own code is interrupted for long: the library may hold
 * what others wait for. If it was met there, a timer asks again.
 */
#include "../../crf/models/model.h"
#include "../threads.h"

#include <signal.h>
#include <ucontext.h>

#include "scc/bell.h"

#define AGAIN_US 200

volatile uint32_t crf_interrupts;
static int started;

static int in_program(const ucontext_t *at)
{
    extern char crf_text_first[], crf_text_last[];
    uint32_t eip = (uint32_t)at->uc_mcontext.gregs[REG_EIP];

    return eip > (uint32_t)crf_text_first && eip < (uint32_t)crf_text_last;
}

/* The library may have read the mail meanwhile, and gone on. */
static int is_due(void)
{
    return crf_control->interrupt_sent[crf_my_rank] || crf_cancel_now() ||
           ((crf_self_record()->signals | crf_control->signals) &
            ~crf_running->mask);
}

/* Never the same: a loop that is in the library most of the time could be met
 * there each time. */
static uint32_t again(void)
{
    return AGAIN_US + (uint32_t)__builtin_ia32_rdtsc() / 7 % 211;
}

/* One mail at a time: a box that stays full is taken for a core that is dead. */
void crf_interrupt(int rank)
{
    if (rank == crf_my_rank || crf_control->asleep[rank] ||
        crf_control->interrupt_sent[rank])
        return;
    crf_control->interrupt_sent[rank] = 1;
    (void)crf_mail(rank);
}

/* The box is empty: the next one may mail. */
void crf_mails_read(void)
{
    crf_control->asked[crf_my_rank] = 0;
    crf_control->interrupt_sent[crf_my_rank] = 0;
}

/* Where nobody else is about to. */
void crf_drop_mails(void)
{
    if (!started)
        return;
    crf_read_mail(0);
    crf_mails_read();
}

/* The library may be about to sleep until this mail: it is left in the box, and
 * nobody sends another one, until the program's own code is met. */
void crf_interrupted(const void *context)
{
    if (!crf_running)
        return;
    if (!in_program(context)) {
        if (is_due())
            crf_alarm_in(again());
        return;
    }
    crf_drop_mails();
    crf_take_signals();
    if (crf_cancel_now())
        pthread_exit(PTHREAD_CANCELED);
}

static void on_mail(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    crf_interrupts++;
    scc_own_signals++;
    crf_interrupted(context);
}

/* Under the strong model mails ask for pages, and a handler's stack may be
 * gone: signals wait there. */
void crf_interrupts_start(void)
{
    struct sigaction action = {.sa_sigaction = on_mail,
                               .sa_flags =
                                   SA_SIGINFO | SA_RESTART | SA_NODEFER};

    if (started || !crf_model->copies)
        return;
    started = 1;
    sigaction(SIGIO, &action, NULL);
    crf_mails_interrupt();
    crf_control->interrupt_sent[crf_my_rank] = 0;
}
