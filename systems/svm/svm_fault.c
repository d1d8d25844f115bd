/*
 * svm_fault.c: page faults: SIGSEGV, when this core touches a page of another
 * one, or what it must not touch.
 */
#include "svm_private.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "owner/owner.h"

#define WRITE_FAULT 2

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
    svm_wait_begins();
    svm_owner_fault(segment->first + page, registers);
    svm_wait_ends();
    errno = error;
}

/* Mails are answered while a fault waits. */
void svm_signals_start(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, NULL);
    svm_owner_signals_start();
}

void svm_signals_end(void)
{
    svm_owner_signals_end();
    signal(SIGSEGV, SIG_DFL);
}
