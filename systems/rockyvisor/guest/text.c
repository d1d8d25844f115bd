/*
 * text.c: one processor writes pages of code anew again and again, and all
 * others execute and read them each time. They have them in their caches, so
 * each time the hypervisor moves the page.
 */
#include "guest/guest.h"

#define PAGES 4u
#define LAST (PAGE / 4 - 1) /* word of a page */
#define MOV_EAX 0xB8u
#define RET 0xC3u

static u8 pages[PAGES][PAGE] __attribute__((aligned(PAGE)));
static struct {
    volatile u32 round, wrong;
    u8 rest[PAGE - 8];
} written __attribute__((aligned(PAGE)));
static struct {
    volatile u32 count;
    u8 rest[PAGE - 4];
} executed __attribute__((aligned(PAGE)));

static void write_code(u8 *page, u32 value)
{
    ((volatile u32 *)page)[LAST] = value;
    *(volatile u32 *)&page[1] = value;
    *(volatile u8 *)&page[5] = RET;
    *(volatile u8 *)&page[0] = MOV_EAX;
}

static void execute_code(u8 *page, u32 value)
{
    if (((u32 (*)(void))page)() != value ||
        ((volatile u32 *)page)[LAST] != value)
        lock_increment(&written.wrong);
    lock_increment(&executed.count);
}

u32 text(u32 number, u32 rounds)
{
    for (u32 n = 1; n <= rounds; n++) {
        u8 *page = pages[n % PAGES];

        if (number) {
            wait_for(&written.round, n);
            execute_code(page, n);
            continue;
        }
        write_code(page, n);
        written.round = n;
        wait_for(&executed.count, n * (processor_count - 1));
    }
    if (number)
        return 0;
    print_number("pages written and executed: ", rounds, "\n");
    print_number("times old code or data: ", written.wrong, "\n");
    return written.wrong;
}
