/*
 * svm_owner.c: the strong model: each page has one owner, who alone may touch
 * it; the owner vector off-die says who that is [marc-2011].
 *
 * Who needs a page mails its number and its own rank to the owner and polls
 * the vector. The owner takes away its own permission, flushes and writes
 * the new owner into the vector: that is the answer. Who gets a request for a
 * page that it has given away passes it on to the owner of now.
 *
 * Many may ask at once. The owner notes them off-die, beside the vector, and
 * gives the page to the next rank after its own; the others stay noted there
 * and are the new owner's to serve: nobody's request is mailed around, and
 * who is noted waits for at most all other ranks.
 *
 * A page that has just come is not given away before the access that asked for
 * it is done (svm_fault.c): otherwise two cores could take it from each other
 * for ever.
 */
#include "svm_private.h"

#include <sys/mman.h>
#include <unistd.h>

/* An owner that keeps a page for so long has ended: 1 s at 533 MHz. */
#define PATIENCE 533000000ull
#define NOBODY 0xFFFFFFFFu

struct request {
    uint32_t core;
    uint32_t page, requester;
    uint32_t unused[5];
};

static volatile uint32_t wanted = NOBODY;

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

/* Takes note of a request, or passes it on; true if the page is this core's to
 * hand over. */
int svm_note(uint32_t page, uint32_t requester)
{
    for (;;) {
        uint32_t owner = svm_control->owner[page];

        if (owner == (uint32_t)svm_rank) {
            svm_control->waiting[page][requester / 32] |= 1u << requester % 32;
            return 1;
        }
        if (send(owner, page, requester)) {
            svm_counted.forwarded++;
            return 0;
        }
    }
}

/* Does anybody wait for this core's page? */
int svm_contested(uint32_t page)
{
    return svm_control->owner[page] == (uint32_t)svm_rank &&
           (svm_control->waiting[page][0] | svm_control->waiting[page][1]);
}

/* Gives the page to the next rank that waits for it, if any does. */
void svm_hand_over(uint32_t page)
{
    volatile uint32_t *waiting = svm_control->waiting[page];
    uint32_t next = (uint32_t)svm_rank;

    if (!svm_contested(page))
        return;
    do
        next = (next + 1) % RCCE_MAXNP;
    while (!(waiting[next / 32] >> next % 32 & 1));
    mprotect(address_of(page), SVM_PAGE, PROT_NONE);
    svm_flush();
    svm_counted.given++;
    waiting[next / 32] &= ~(1u << next % 32);
    svm_control->owner[page] = next;
}

int svm_waiting_for(uint32_t page)
{
    return wanted == page;
}

/* The owner of now may ask others first; but one that keeps the page is not
 * there any more. */
static void await(uint32_t page)
{
    uint32_t owner = svm_control->owner[page];
    uint64_t start = svm_cycles();

    while (owner != (uint32_t)svm_rank) {
        uint32_t now = svm_control->owner[page];

        if (now != owner) {
            owner = now;
            start = svm_cycles();
        } else if (svm_cycles() - start > PATIENCE) {
            svm_fail("did it end, or does it block SIGIO?",
                     "UE %d (core %d), owner of page %u at %p, does not "
                     "answer",
                     (int)owner, svm_core_of[owner], (unsigned)page,
                     (void *)address_of(page));
        }
    }
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
    await(page);
}

/* The page becomes this core's. */
void svm_acquire(struct svm_segment *segment, char *page)
{
    uint32_t number =
        segment->first + (uint32_t)(page - segment->start) / SVM_PAGE;

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
