/*
 * svm_fault.c: page faults and mails reach the library as signals.
 *
 * SIGSEGV: this core touched a page of another one. SIGIO: a mail is there.
 * When others wait for a page before the access that it came for is done, the
 * trap flag lets this one instruction run; SIGTRAP then hands the page over.
 */
#include "svm_private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define TRAP_FLAG 0x100
#define WRITE_FAULT 2
#define MAILS 64
#define NO_PAGE 0xFFFFFFFFu

/* The page that came last, and the instruction that needs it. */
static uint32_t fresh_page;
static greg_t fresh_eip;

/* Who waits for what is being changed: a mail that comes now comes later. */
static volatile int serving, mail_waits;

/* The handler's own end counts as no instruction of the program. */
static void let_one_run(greg_t *registers)
{
    registers[REG_EFL] |= TRAP_FLAG;
    svm_counted.deferred++;
}

/* All are noted first: who asked at once may get a page in any order. */
static void serve_some(greg_t *registers)
{
    uint32_t mails[MAILS][8];
    int count =
        (int)(read(svm_mail, mails, sizeof mails) / (ssize_t)sizeof mails[0]);

    for (int n = 0; n < count; n++)
        if (!svm_note(mails[n][1], mails[n][2]))
            mails[n][1] = NO_PAGE;
    for (int n = 0; n < count; n++) {
        uint32_t page = mails[n][1];

        if (page == NO_PAGE || svm_waiting_for(page))
            continue;
        if (page == fresh_page && registers[REG_EIP] == fresh_eip)
            let_one_run(registers);
        else
            svm_hand_over(page);
    }
}

static void serve(greg_t *registers)
{
    do {
        mail_waits = 0;
        serving = 1;
        serve_some(registers);
        serving = 0;
    } while (mail_waits);
}

static void on_mail(int number, siginfo_t *info, void *context)
{
    int error = errno;

    (void)number;
    (void)info;
    if (serving)
        mail_waits = 1;
    else
        serve(((ucontext_t *)context)->uc_mcontext.gregs);
    errno = error;
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    struct svm_segment *segment = svm_find(info->si_addr);
    int error = errno;
    uint32_t page;

    (void)number;
    page = segment
               ? (uint32_t)((char *)info->si_addr - segment->start) / SVM_PAGE
               : 0;
    if (!segment || segment->model != SVM_STRONG ||
        (page >= segment->read_only_from && page < segment->read_only_to)) {
        svm_say_fault(info->si_addr, (uint32_t)registers[REG_EIP],
                      (registers[REG_ERR] & WRITE_FAULT) != 0);
        /* The access comes again and ends the program in the usual way. */
        signal(SIGSEGV, SIG_DFL);
        return;
    }
    /* The instruction before, or this one's other page, is not waited for. */
    serving = 1;
    if (fresh_page != NO_PAGE)
        svm_hand_over(fresh_page);
    fresh_page = segment->first + page;
    fresh_eip = registers[REG_EIP];
    serving = 0;
    if (mail_waits)
        serve(registers);
    svm_acquire(segment, segment->start + page * SVM_PAGE);
    if (svm_contested(fresh_page))
        let_one_run(registers);
    errno = error;
}

static void on_step(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    int error = errno;

    (void)number;
    (void)info;
    registers[REG_EFL] &= ~TRAP_FLAG;
    svm_hand_over(fresh_page);
    errno = error;
}

static void take(int number, void (*handler)(int, siginfo_t *, void *),
                 int blocked)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (blocked)
        sigaddset(&action.sa_mask, blocked);
    sigaction(number, &action, NULL);
}

void svm_signals_start(void)
{
    fresh_page = NO_PAGE;
    take(SIGSEGV, on_fault, 0); /* mails are answered while it waits */
    take(SIGTRAP, on_step, SIGIO);
    take(SIGIO, on_mail, 0);
    fcntl(svm_mail, F_SETOWN, getpid());
    fcntl(svm_mail, F_SETFL, O_NONBLOCK | O_ASYNC);
}

void svm_signals_end(void)
{
    fcntl(svm_mail, F_SETFL, 0);
    signal(SIGSEGV, SIG_DFL);
    signal(SIGTRAP, SIG_DFL);
    signal(SIGIO, SIG_IGN);
}
