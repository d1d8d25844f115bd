/*
 * svm_owner.c: the strong model: each page has one owner, who alone may touch
 * it; the owner vector off-die says who that is [marc-2011].
 *
 * Who needs a page mails its number and its own rank to the owner and polls
 * the vector. The owner takes away its own permission, flushes and writes
 * the new owner into the vector: that is the answer. Who gets a request for a
 * page that it has given away passes it on to the owner of now.
 *
 * A page that has just come is not given away before the access that asked for
 * it is done (svm_fault.c): otherwise two cores could take it from each other
 * for ever.
 */
#include "svm_private.h"

#include <sys/mman.h>
#include <unistd.h>

/* A request that nobody answers for so long never will be: 10 s. */
#define PATIENCE 5330000000ull
#define NOBODY 0xFFFFFFFFu

struct request {
    uint32_t core;
    uint32_t page, requester;
    uint32_t unused[5];
};

static volatile uint32_t wanted = NOBODY;
static struct {
    uint32_t page, requester;
} deferred[RCCE_MAXNP];
static volatile int deferred_count;

static int send(uint32_t to, uint32_t page, uint32_t requester)
{
    struct request mail = {
        .core = (uint32_t)svm_core_of[to],
        .page = page,
        .requester = requester,
    };

    return write(svm_mail, &mail, sizeof mail) == (ssize_t)sizeof mail;
}

static char *address_of(uint32_t page)
{
    for (int n = 0; n < svm_segment_count; n++)
        if (page - svm_segments[n].first < svm_segments[n].pages)
            return svm_segments[n].start +
                   (page - svm_segments[n].first) * SVM_PAGE;
    svm_fail("send mails by SVM only", "a mail asks for page %u, there is none",
             (unsigned)page);
}

static void give(uint32_t page, uint32_t requester)
{
    mprotect(address_of(page), SVM_PAGE, PROT_NONE);
    svm_flush();
    svm_counted.given++;
    svm_control->owner[page] = requester;
}

/* Answers or passes on a request. `busy` is the page, if any, that this core
 * is about to touch for the first time since it came. */
void svm_serve(uint32_t page, uint32_t requester, int busy)
{
    uint32_t owner = svm_control->owner[page];

    if (owner != (uint32_t)svm_rank) {
        svm_counted.forwarded++;
        while (!send(owner, page, requester))
            ;
    } else if (busy && deferred_count < RCCE_MAXNP) {
        deferred[deferred_count].page = page;
        deferred[deferred_count++].requester = requester;
        svm_counted.deferred++;
    } else {
        give(page, requester);
    }
}

int svm_deferred(void)
{
    return deferred_count;
}

/* The access is done: those who waited for it get their answers. */
void svm_serve_deferred(void)
{
    int count = deferred_count;

    deferred_count = 0;
    for (int n = 0; n < count; n++)
        svm_serve(deferred[n].page, deferred[n].requester, 0);
}

int svm_waiting_for(uint32_t page)
{
    return wanted == page;
}

static void ask(uint32_t page)
{
    uint64_t start = svm_cycles();
    uint32_t owner = svm_control->owner[page];

    /* A mail that comes in the meantime may change who owns the page. */
    while (owner != (uint32_t)svm_rank &&
           !send(owner, page, (uint32_t)svm_rank))
        owner = svm_control->owner[page];
    svm_counted.mail_cycles += svm_cycles() - start;
    start = svm_cycles();
    while (svm_control->owner[page] != (uint32_t)svm_rank)
        if (svm_cycles() - start > PATIENCE)
            svm_fail("did it end, or does it block SIGIO?",
                     "UE %d (core %d), owner of page %u at %p, does not "
                     "answer for 10 s",
                     (int)svm_control->owner[page],
                     svm_core_of[svm_control->owner[page]], (unsigned)page,
                     (void *)address_of(page));
}

/* The page becomes this core's. */
void svm_acquire(struct svm_segment *segment, char *page)
{
    uint32_t number =
        segment->first + (uint32_t)(page - segment->start) / SVM_PAGE;

    svm_serve_deferred();
    wanted = number;
    if (svm_control->owner[number] != (uint32_t)svm_rank) {
        uint64_t start = svm_cycles();

        ask(number);
        svm_counted.faults++;
        svm_counted.fault_cycles += svm_cycles() - start;
    }
    svm_invalidate();
    if (mprotect(page, SVM_PAGE, PROT_READ | PROT_WRITE))
        svm_fail("fewer pages", "no room for the protection of single pages");
    wanted = NOBODY;
}
