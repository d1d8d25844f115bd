/*
 * svm_strong.c: what the strong model's owners (owner/) need to know of svm's
 * pages: where they lie, and how this core opens and closes one.
 */
#include "svm_private.h"

#include <sys/mman.h>

#include "owner/owner.h"

/* Alarms, four a second, that an owner may keep a page for. */
#define PATIENCE 4u

struct svm_owner_pages svm_owner_pages;

static char *address_of(uint32_t page)
{
    for (int n = 0; n < svm_segment_count; n++)
        if (page - svm_segments[n].first < svm_segments[n].pages)
            return svm_segments[n].start +
                   (page - svm_segments[n].first) * SVM_PAGE;
    svm_fail("send mails by SVM only", "a mail asks for page %u, there is none",
             (unsigned)page);
}

static void no_page(uint32_t page)
{
    (void)address_of(page);
}

static void close_page(uint32_t page)
{
    mprotect(address_of(page), SVM_PAGE, PROT_NONE);
    svm_flush();
}

static void open_page(uint32_t page)
{
    svm_invalidate();
    if (mprotect(address_of(page), SVM_PAGE, PROT_READ | PROT_WRITE))
        svm_fail("fewer pages", "no room for the protection of single pages");
}

static void wait_for(uint32_t page, uint32_t owner, uint32_t times)
{
    if (times > PATIENCE)
        svm_fail("did it end, or does it block SIGIO?",
                 "UE %d (core %d), owner of page %u at %p, does not answer",
                 (int)owner, svm_core_of[owner], (unsigned)page,
                 (void *)address_of(page));
}

/* Before any segment is there. */
void svm_strong_start(void)
{
    svm_owner_pages = (struct svm_owner_pages){
        .owner = svm_control->owner,
        .waiting = svm_control->waiting,
        .core_of = svm_core_of,
        .rank = (uint32_t)svm_rank,
        .mail = svm_mail,
        .close = close_page,
        .open = open_page,
        .wait = wait_for,
        .alarms = &svm_alarms,
        .no_page = no_page,
    };
}
