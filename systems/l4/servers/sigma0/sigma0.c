/*
 * sigma0.c: owns all memory that the kernel does not use, and gives it away
 * page by page. Nobody gives it back: who had it from here divides it further.
 *
 * The pages that it gives it must have itself. They appear at one window,
 * are given from there, and stay mapped, or nobody could take them back.
 */
#include "l4/sigma0.h"
#include "lib/l4.h"

#define PAGE 4096u
#define ROOT 1              /* the badge of the root task */
#define SHOWN 0x40000000u   /* where physical 0 would appear */
#define DEVICES 0x90000000u /* where pages of devices appear here */

static const struct l4_boot *boot = (const void *)L4_BOOT_INFORMATION;
static uint32_t next_free, next_device = DEVICES;

static int32_t show(uint32_t physical, uint32_t address, uint32_t pages,
                    uint32_t bits)
{
    l4_utcb()->items[0] = address | (bits & 2 ? L4_ITEM_WRITE : 0);
    l4_utcb()->items[1] = pages;
    return l4_do(L4_SLOT_MEMORY, L4_MEMORY_MAP, physical, address | bits,
                 pages);
}

static int32_t give_any(uint32_t pages)
{
    uint32_t at = next_free;

    if (pages > L4_PAGES_MAX)
        return L4_BAD_ARGUMENT;
    if (pages > (boot->memory_end - at) / PAGE)
        return L4_NO_MEMORY;
    next_free += pages * PAGE;
    return show(at, SHOWN + at, pages, 2);
}

/* Private memory appears from SHOWN on, all else from DEVICES on. */
static int32_t give_at(const struct l4_message *m)
{
    uint32_t physical = m->words[0], pages = m->words[1];
    uint32_t at = SHOWN + physical;
    uint32_t bits = m->words[2] & (L4_TYPE_BITS | 2);

    if (m->badge != ROOT)
        return L4_NO_RIGHT;
    if (pages > L4_PAGES_MAX)
        return L4_BAD_ARGUMENT;
    if (physical >= boot->memory_end) {
        at = next_device;
        next_device += pages * PAGE;
    }
    return show(physical, at, pages, bits);
}

int main(void)
{
    struct l4_message m = {0};
    int32_t result = l4_invoke(0, L4_RECEIVE | L4_FOREVER, &m);

    next_free = boot->memory_start;
    for (;;) {
        uint32_t label = m.tag >> L4_LABEL_SHIFT;

        if (result == L4_OK && label == SIGMA0_ANY)
            result = give_any(m.words[0]);
        else if (result == L4_OK && label == SIGMA0_AT)
            result = give_at(&m);
        else
            result = L4_BAD_ARGUMENT;
        m.tag = L4_TAG(0, 1) | L4_TAG_ITEMS(result == L4_OK);
        m.words[0] = (uint32_t)result;
        result = l4_invoke(0, L4_REPLY_WAIT | L4_FOREVER, &m);
    }
}
