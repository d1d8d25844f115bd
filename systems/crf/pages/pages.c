/*
 * pages.c: which page is shared, and this core's copies of them.
 *
 * A page is not there (others have changed it), clean (as it was fetched), or
 * dirty: written, with a twin that holds what it was before. The first read
 * of a page that is not there fetches it, the first write makes the twin:
 * both are page faults. Pages that nobody has committed are what the loader
 * made of them on all cores alike: they are clean.
 */
#include "../models/model.h"
#include "pages.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "scc/cache.h"
#include "scc/memory_map.h"

#define WRITE_FAULT 2

extern char crf_data_first[], crf_data_last[], crf_bss_first[], crf_bss_last[];

uint32_t crf_data_pages, crf_pages, crf_own_pages;
uint8_t crf_state[CRF_PAGES_MAX];
uint8_t crf_known[CRF_PAGES_MAX];
uint8_t *crf_twin[CRF_PAGES_MAX];
uint16_t crf_dirty[CRF_PAGES_MAX];
uint32_t crf_dirty_count;
char *crf_lines;

static uint32_t initialised_pages; /* of the data: not zero at the start */

char *crf_page_address(uint32_t page)
{
    if (page < initialised_pages)
        return crf_data_first + page * CRF_PAGE;
    if (page < crf_data_pages)
        return crf_bss_first + (page - initialised_pages) * CRF_PAGE;
    return CRF_ARENA + (page - crf_data_pages) * CRF_PAGE;
}

uint32_t crf_page_of(const void *address)
{
    const char *at = address;

    if (at >= crf_data_first && at < crf_data_last)
        return (uint32_t)(at - crf_data_first) / CRF_PAGE;
    if (at >= crf_bss_first && at < crf_bss_last)
        return initialised_pages + (uint32_t)(at - crf_bss_first) / CRF_PAGE;
    if (at >= CRF_ARENA &&
        at < CRF_ARENA + (crf_pages - crf_data_pages) * CRF_PAGE)
        return crf_data_pages + (uint32_t)(at - CRF_ARENA) / CRF_PAGE;
    return CRF_NO_PAGE;
}

/* False if the kernel has no room for more ranges of pages alike. */
int crf_try_protect(uint32_t page, uint32_t count, int protection)
{
    return !count ||
           !mprotect(crf_page_address(page), count * CRF_PAGE, protection);
}

void crf_protect(uint32_t page, uint32_t count, int protection)
{
    if (crf_try_protect(page, count, protection))
        return;
    crf_make_room();
    if (!crf_try_protect(page, count, protection))
        crf_fail("fewer shared pages", "no room for the protection of pages");
}

/* The shared page is valid; once it is, it stays so. */
int crf_is_committed(uint32_t page)
{
    if (!crf_known[page])
        crf_known[page] = crf_control->committed[page];
    return crf_known[page];
}

int crf_is_initialised(uint32_t page)
{
    return page < initialised_pages;
}

void crf_close_all(void)
{
    memset(crf_state, CRF_ABSENT, crf_pages);
    crf_protect(0, initialised_pages, PROT_NONE);
    crf_protect(initialised_pages, crf_data_pages - initialised_pages,
                PROT_NONE);
    crf_protect(crf_data_pages, crf_pages - crf_data_pages, PROT_NONE);
}

/* A page of private memory, zero. */
static uint8_t *private_page(void)
{
    static uint8_t *fresh;
    static uint32_t left;

    if (left == 0) {
        left = 64;
        fresh = crf_private_memory(left * CRF_PAGE);
    }
    left--;
    fresh += CRF_PAGE;
    return fresh - CRF_PAGE;
}

void crf_new_twin(uint32_t page)
{
    if (!crf_twin[page])
        crf_twin[page] = private_page();
}

/* Copies a page line by line. A store that no cache takes waits for the store
 * before it to the line; the read of each line of the copy lets L1D take the
 * stores. In place of memcpy, so that the checker can say whose read it is. */
static void copy_page(void *to, const void *from)
{
    for (uint32_t line = 0; line < CRF_PAGE / SCC_LINE_SIZE; line++) {
        uint32_t words = SCC_LINE_SIZE / 4;

        (void)*(volatile uint32_t *)to;
        __asm__ volatile("cld; rep movsl"
                         : "+D"(to), "+S"(from), "+c"(words)
                         :
                         : "memory");
    }
}

void crf_make_twin(uint32_t page)
{
    crf_new_twin(page);
    copy_page(crf_twin[page], crf_page_address(page));
}

void crf_fetch(uint32_t page)
{
    crf_control->fetched[page] = 1;
    /* What nobody has committed is what it was at the start. */
    if (!crf_is_committed(page))
        return;
    scc_cl1invmb();
    copy_page(crf_page_address(page), crf_lines_of(page));
    crf_counted.fetched++;
}

void crf_copy_clean(uint32_t page, uint32_t from, uint32_t to)
{
    if (!crf_try_protect(page, 1, PROT_READ | PROT_WRITE)) {
        crf_forget_clean(page);
        return;
    }
    scc_cl1invmb();
    memcpy(crf_page_address(page) + from, crf_lines_of(page) + from, to - from);
    crf_protect(page, 1, PROT_READ);
}

/* The page may be written from now on. */
void crf_open_for_writing(uint32_t page)
{
    crf_protect(page, 1, PROT_READ | PROT_WRITE);
    if (crf_state[page] == CRF_ABSENT)
        crf_fetch(page);
    /* The first commit of a page writes all of it, and most were zero. */
    if (crf_is_committed(page) || page < initialised_pages)
        crf_make_twin(page);
    crf_state[page] = CRF_DIRTY;
    crf_dirty[crf_dirty_count++] = (uint16_t)page;
}

static void open_for_reading(uint32_t page)
{
    crf_protect(page, 1, PROT_READ | PROT_WRITE);
    crf_fetch(page);
    crf_protect(page, 1, PROT_READ);
    crf_state[page] = CRF_CLEAN;
}

void crf_copy_fault(uint32_t page, int write, greg_t *registers)
{
    (void)registers;
    if (write) {
        crf_counted.write_faults++;
        crf_open_for_writing(page);
    } else {
        crf_counted.read_faults++;
        open_for_reading(page);
    }
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    int write = (registers[REG_ERR] & WRITE_FAULT) != 0;
    uint32_t page = crf_page_of(info->si_addr);
    int error = errno;

    (void)number;
    if (page == CRF_NO_PAGE || crf_state[page] == CRF_GUARD ||
        (page >= crf_own_pages && page >= crf_pages_used())) {
        crf_say_fault(info->si_addr, (uint32_t)registers[REG_EIP], write);
        /* The access comes again and ends the program in the usual way. */
        signal(SIGSEGV, SIG_DFL);
    } else {
        crf_model->fault(page, write, registers);
    }
    errno = error;
}

/* The data are there already; arena and stacks get addresses. */
static void map_arena(void)
{
    char *arena = crf_kernel_mmap(
        CRF_ARENA, (crf_pages - crf_data_pages) * CRF_PAGE, PROT_READ,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1,
        0);

    if (arena != CRF_ARENA)
        crf_fail("a smaller program", "no addresses for the shared memory");
    crf_stacks_start();
}

/* As many pages behind each controller, from the control block's size on, as
 * all have free before what others plan. */
static uint32_t claim_pages(void)
{
    uint32_t least = CRF_SLOT - CRF_CONTROL_SIZE;

    for (uint32_t n = 0; n < CRF_CONTROLLERS; n++) {
        uint32_t wanted = n * CRF_SLOT + CRF_CONTROL_SIZE, first = wanted;
        uint32_t count =
            scc_claim_gap(SCC_SHARED, &first, (n + 1) * CRF_SLOT, NAME);

        if (first > wanted || count < least)
            least = first > wanted ? 0 : count;
    }
    least &= ~(CRF_PAGE - 1u);
    for (uint32_t n = 0; n < CRF_CONTROLLERS; n++)
        scc_claim(SCC_SHARED, SCC_ALONE, n * CRF_SLOT + CRF_CONTROL_SIZE, least,
                  NAME);
    return least / CRF_PAGE * CRF_CONTROLLERS;
}

/* The program's data may need lent memory at once. */
static void find_room(void)
{
    uint32_t first = crf_data_pages + crf_stacks_pages(), room = crf_own_pages;

    if (first > room) {
        crf_guard(0);
        room += crf_lend();
        crf_unguard(0);
    }
    if (first > room || initialised_pages > crf_own_pages)
        crf_fail("less static data, or a run on fewer cores: those that do "
                 "not run lend memory to threads",
                 "%u KB of static data leave no room for stacks in the %u MB "
                 "that threads share",
                 (unsigned)(crf_data_pages * (CRF_PAGE / 1024)),
                 (unsigned)(crf_shared_bytes() >> 20));
}

void crf_pages_start(void)
{
    struct sigaction action = {.sa_sigaction = on_fault,
                               .sa_flags =
                                   SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    /* A thread's own stack may be at its end. */
    static char stack[32768];
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};

    initialised_pages = (uint32_t)(crf_data_last - crf_data_first) / CRF_PAGE;
    crf_data_pages =
        initialised_pages + (uint32_t)(crf_bss_last - crf_bss_first) / CRF_PAGE;
    crf_own_pages = crf_pages = claim_pages();
    if (crf_model->borrows)
        crf_pages += CRF_LENT_SEGMENTS * CRF_SEGMENT_PAGES;
    find_room();
    crf_lines = scc_map_at(SCC_MPBT, SCC_SHARED_BASE, CRF_SHARED, CRF_LINES,
                           SCC_IF_FREE, PROT_READ | PROT_WRITE);
    if (crf_lines != CRF_LINES)
        crf_fail("a smaller program", "no addresses for the shared memory");
    map_arena();
    sigaltstack(&other, NULL);
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, NULL);
    crf_kernel_access_start();
    if (initialised_pages)
        mprotect(crf_data_first, initialised_pages * CRF_PAGE, PROT_READ);
    if (crf_data_pages > initialised_pages)
        mprotect(crf_bss_first, (crf_data_pages - initialised_pages) * CRF_PAGE,
                 PROT_READ);
}
