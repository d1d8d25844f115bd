/*
 * svm_fault.c: page faults and mails reach the library as signals.
 *
 * SIGSEGV: this core touched a page of another one. SIGIO: a mail is there.
 * When a page was asked for by others before the access that it came for, the
 * trap flag lets this one instruction run; SIGTRAP then answers them.
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

/* The page that came last, and the instruction that needs it. */
static uint32_t fresh_page;
static greg_t fresh_eip;

static void on_fault(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    struct svm_segment *segment = svm_find(info->si_addr);
    int error = errno;
    uint32_t page;

    (void)number;
    page = segment ? (uint32_t)((char *)info->si_addr - segment->start) /
                         SVM_PAGE
                   : 0;
    if (!segment || segment->model != SVM_STRONG ||
        (page >= segment->read_only_from && page < segment->read_only_to)) {
        svm_say_fault(info->si_addr, (uint32_t)registers[REG_EIP],
                      (registers[REG_ERR] & WRITE_FAULT) != 0);
        /* The access comes again and ends the program in the usual way. */
        signal(SIGSEGV, SIG_DFL);
        return;
    }
    fresh_page = segment->first + page;
    fresh_eip = registers[REG_EIP];
    svm_acquire(segment, segment->start + page * SVM_PAGE);
    if (svm_deferred())
        registers[REG_EFL] |= TRAP_FLAG;
    errno = error;
}

static void on_mail(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    uint32_t mails[MAILS][8];
    int error = errno;
    ssize_t bytes = read(svm_mail, mails, sizeof mails);

    (void)number;
    (void)info;
    for (int n = 0; n < bytes / (ssize_t)sizeof mails[0]; n++) {
        uint32_t page = mails[n][1];
        int busy = svm_waiting_for(page);

        if (page == fresh_page && registers[REG_EIP] == fresh_eip) {
            busy = 1;
            registers[REG_EFL] |= TRAP_FLAG;
        }
        svm_serve(page, mails[n][2], busy);
    }
    errno = error;
}

static void on_step(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    int error = errno;

    (void)number;
    (void)info;
    registers[REG_EFL] &= ~TRAP_FLAG;
    svm_serve_deferred();
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
    fresh_page = 0xFFFFFFFFu;
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
