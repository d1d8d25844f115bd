/*
 * progress.c: mails reach the owner of pages as signals, and every access gets
 * done.
 *
 * SIGIO: a mail is there. When others wait for a page before the access that it
 * came for is done, the trap flag lets this one instruction run; SIGTRAP then
 * hands the page over.
 */
#include "owner.h"

#include "scc/bell.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define TRAP_FLAG 0x100
#define MAILS 64
#define NO_PAGE 0xFFFFFFFFu

/* The page that came last, and the instruction that needs it. */
static uint32_t fresh_page = NO_PAGE;
static greg_t fresh_eip;

/* Who waits for what is being changed: a mail that comes now comes later. */
static volatile int serving, mail_waits;
static volatile uint32_t signals_taken, other_mails;

/* The handler's own end counts as no instruction of the program. */
static void let_one_run(greg_t *registers)
{
    registers[REG_EFL] |= TRAP_FLAG;
    svm_owner_counted.deferred++;
}

/* The page of a request that this core is to serve. */
static uint32_t noted(const struct owner_mail *mail)
{
    if (mail->mark != OWNER_REQUEST) {
        other_mails++;
        return NO_PAGE;
    }
    return svm_owner_note(mail->page, mail->requester) ? mail->page : NO_PAGE;
}

/* All are noted first: who asked at once may get a page in any order. */
static void serve_some(greg_t *registers)
{
    struct owner_mail mails[MAILS];
    uint32_t pages[MAILS];
    int count = (int)(read(svm_owner_pages.mail, mails, sizeof mails) /
                      (ssize_t)sizeof mails[0]);

    for (int n = 0; n < count; n++)
        pages[n] = noted(&mails[n]);
    for (int n = 0; n < count; n++) {
        if (pages[n] == NO_PAGE || svm_owner_waiting_for(pages[n]))
            continue;
        if (pages[n] == fresh_page && registers[REG_EIP] == fresh_eip)
            let_one_run(registers);
        else
            svm_owner_hand_over(pages[n]);
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
    signals_taken++;
    scc_own_signals++;
    if (serving)
        mail_waits = 1;
    else
        serve(((ucontext_t *)context)->uc_mcontext.gregs);
    errno = error;
}

void svm_owner_fault(uint32_t page, greg_t *registers)
{
    int before = serving;

    /* The instruction before, or this one's other page, is not waited for. */
    serving = 1;
    if (fresh_page != NO_PAGE)
        svm_owner_hand_over(fresh_page);
    fresh_page = page;
    fresh_eip = registers[REG_EIP];
    serving = 0;
    if (mail_waits)
        serve(registers);
    svm_owner_acquire(page);
    if (svm_owner_contested(page))
        let_one_run(registers);
    serving = before;
}

static void on_step(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    int error = errno;

    (void)number;
    (void)info;
    registers[REG_EFL] &= ~TRAP_FLAG;
    svm_owner_hand_over(fresh_page);
    errno = error;
}

static void take(int number, void (*handler)(int, siginfo_t *, void *),
                 int blocked)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    /* On another stack, if there is one: this one's pages may be elsewhere. */
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    if (blocked)
        sigaddset(&action.sa_mask, blocked);
    sigaction(number, &action, NULL);
}

void svm_owner_signals_start(void)
{
    take(SIGTRAP, on_step, SIGIO);
    take(SIGIO, on_mail, 0);
    fcntl(svm_owner_pages.mail, F_SETOWN, getpid());
    fcntl(svm_owner_pages.mail, F_SETFL, O_NONBLOCK | O_ASYNC);
}

void svm_owner_signals_end(void)
{
    fcntl(svm_owner_pages.mail, F_SETFL, 0);
    signal(SIGTRAP, SIG_DFL);
    signal(SIGIO, SIG_IGN);
}

uint32_t svm_owner_signals_taken(void)
{
    return signals_taken;
}

/* Mails are left to the handler, on whose stack a page of this one's can be
 * handed over. Those that it took before are looked at first; those that come
 * from then on wait in the kernel, and poll sees them. */
int svm_owner_await_mail(int milliseconds)
{
    static struct pollfd mails; /* the kernel touches no page of another core */
    static uint32_t seen;
    int ready = 1, came;

    mails = (struct pollfd){.fd = svm_owner_pages.mail, .events = POLLIN};
    serving = 1;
    if (other_mails == seen)
        ready = poll(&mails, 1, milliseconds);
    came = ready > 0 || mail_waits;
    serving = 0;
    if (came)
        kill(getpid(), SIGIO);
    seen = other_mails;
    return came || ready == 0;
}
