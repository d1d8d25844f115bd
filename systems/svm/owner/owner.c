/*
 * owner.c: one owner a page.
 *
 * The owner vector off-die says who it is. Who faults mails a request to the
 * owner and polls the vector; the owner takes its own permission away, pushes
 * what it wrote, and writes the new owner, which is the answer. Who gets a
 * request for a page that it has given away passes it on to the owner of now.
 *
 * Many may ask at once. The owner notes them off-die, beside the vector, and
 * gives the page to the next rank after its own; the others stay noted there
 * and are the new owner's to serve: nobody's request is mailed around, and
 * who is noted waits for at most all other ranks.
 *
 * A page that has just come is not given away before the access that asked for
 * it is done (progress.c): otherwise two cores could take it from each other
 * for ever.
 */
#include "owner.h"

#include <unistd.h>

#define NOBODY 0xFFFFFFFFu

struct svm_counts svm_owner_counted;

static volatile uint32_t wanted = NOBODY;

static uint64_t cycles(void)
{
    return __builtin_ia32_rdtsc();
}

static int send(uint32_t to, uint32_t page, uint32_t requester)
{
    struct owner_mail mail = {
        .core = (uint32_t)svm_owner_pages.core_of[to],
        .page = page,
        .requester = requester,
        .mark = OWNER_REQUEST,
    };

    return write(svm_owner_pages.mail, &mail, sizeof mail) ==
           (ssize_t)sizeof mail;
}

/* Takes note of a request, or passes it on; true if the page is this core's to
 * hand over. */
int svm_owner_note(uint32_t page, uint32_t requester)
{
    if (page >= svm_owner_pages.pages)
        svm_owner_pages.no_page(page);
    for (;;) {
        uint32_t owner = svm_owner_pages.owner[page];

        if (owner == svm_owner_pages.rank) {
            svm_owner_pages.waiting[page][requester / 32] |= 1u
                                                             << requester % 32;
            return 1;
        }
        if (send(owner, page, requester)) {
            svm_owner_counted.forwarded++;
            return 0;
        }
    }
}

/* Who waits for this core's page, a bit a rank; each half is a read off-die. */
static uint64_t all_noted(uint32_t page)
{
    const volatile uint32_t *waiting = svm_owner_pages.waiting[page];

    return waiting[0] | (uint64_t)waiting[1] << 32;
}

/* Does anybody wait for this core's page? */
int svm_owner_contested(uint32_t page)
{
    return svm_owner_pages.owner[page] == svm_owner_pages.rank &&
           all_noted(page);
}

/* The first rank of those noted, a bit each, that comes after this core's own. */
static uint32_t next_of(uint64_t noted)
{
    uint32_t after = svm_owner_pages.rank + 1;
    uint64_t behind = noted >> after << after;

    return (uint32_t)__builtin_ctzll(behind ? behind : noted);
}

/* Gives the page to the next rank that waits for it, if any does. */
void svm_owner_hand_over(uint32_t page)
{
    uint64_t noted;
    uint32_t next;

    if (svm_owner_pages.owner[page] != svm_owner_pages.rank)
        return;
    noted = all_noted(page);
    if (!noted)
        return;
    next = next_of(noted);
    svm_owner_pages.close(page);
    svm_owner_counted.given++;
    svm_owner_pages.waiting[page][next / 32] =
        (uint32_t)((noted & ~(1ull << next)) >> next / 32 * 32);
    svm_owner_pages.owner[page] = next;
}

int svm_owner_waiting_for(uint32_t page)
{
    return wanted == page;
}

/* The owner of now may ask others first; but one that keeps the page may not
 * be there any more. */
static void await(uint32_t page)
{
    const volatile uint32_t *alarms = svm_owner_pages.alarms;
    uint32_t owner = svm_owner_pages.owner[page], now;
    uint32_t seen = *alarms, times = 0;

    svm_owner_pages.wait(page, owner, 0);
    while ((now = svm_owner_pages.owner[page]) != svm_owner_pages.rank) {
        if (*alarms == seen)
            continue;
        seen = *alarms;
        times = now == owner ? times + 1 : 1;
        owner = now;
        svm_owner_pages.wait(page, owner, times);
    }
}

static void ask(uint32_t page)
{
    uint64_t start = cycles();
    uint32_t owner = svm_owner_pages.owner[page];

    /* A mail that comes in the meantime may change who owns the page. */
    while (owner != svm_owner_pages.rank &&
           !send(owner, page, svm_owner_pages.rank))
        owner = svm_owner_pages.owner[page];
    svm_owner_counted.mail_cycles += cycles() - start;
    await(page);
}

/* The page becomes this core's. */
void svm_owner_acquire(uint32_t page)
{
    wanted = page;
    if (svm_owner_pages.owner[page] != svm_owner_pages.rank) {
        uint64_t start = cycles();

        ask(page);
        svm_owner_counted.faults++;
        svm_owner_counted.fault_cycles += cycles() - start;
    }
    svm_owner_pages.open(page);
    wanted = NOBODY;
}
