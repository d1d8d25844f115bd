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
#define SHOWN 0x40000000u         /* where physical 0 would appear */
#define SHOWN_MESSAGE 0x68000000u /* and where, as message memory */
#define SHOWN_BYTES (SHOWN_MESSAGE - SHOWN)
#define DEVICES 0x90000000u /* where pages of devices appear here */
#define DEVICES_END 0xE0000000u
#define BADGES 32

static const struct l4_boot *boot = (const void *)L4_BOOT_INFORMATION;
static uint32_t next_free, memory_end, next_device = DEVICES;
static uint8_t devices_allowed[BADGES];
static struct {
    uint32_t from, to;
} reserved[BADGES];

/* Private memory has one address here for each type, so pages that somebody
 * has from there already may be given once more. */
static int32_t show(uint32_t physical, uint32_t address, uint32_t pages,
                    uint32_t bits)
{
    int32_t result = l4_do(L4_SLOT_MEMORY, L4_MEMORY_MAP, physical,
                           address | bits | 2, pages);

    l4_utcb()->items[0] = address | (bits & 2 ? L4_ITEM_WRITE : 0);
    l4_utcb()->items[1] = pages;
    return result == L4_NO_ROOM && physical < boot->memory_end ? L4_OK : result;
}

static int32_t give_any(uint32_t pages)
{
    uint32_t at = next_free;

    if (pages > L4_PAGES_MAX)
        return L4_BAD_ARGUMENT;
    if (pages > (memory_end - at) / PAGE)
        return L4_NO_MEMORY;
    next_free += pages * PAGE;
    return show(at, SHOWN + at, pages, 2);
}

static int within(uint32_t physical, uint32_t pages, uint32_t from, uint32_t to)
{
    return physical >= from && physical <= to &&
           pages <= (to - physical) / PAGE;
}

/* What the loader left lies below the memory that is given away. */
static int may_have(const struct l4_message *m, uint32_t bits)
{
    uint32_t physical = m->words[0], pages = m->words[1];

    if (m->badge == 0)
        return 1;
    if (physical >= boot->memory_end)
        return m->badge < BADGES && devices_allowed[m->badge];
    if (within(physical, pages, 0, boot->memory_start))
        return bits == 0;
    return m->badge < BADGES && within(physical, pages, reserved[m->badge].from,
                                       reserved[m->badge].to);
}

/* Private memory appears from SHOWN on, all else from DEVICES on. */
static int32_t give_at(const struct l4_message *m)
{
    uint32_t physical = m->words[0], pages = m->words[1];
    uint32_t at = SHOWN + physical;
    uint32_t bits = m->words[2] & (L4_TYPE_BITS | 2);

    if (pages > L4_PAGES_MAX)
        return L4_BAD_ARGUMENT;
    if (!may_have(m, bits))
        return L4_NO_RIGHT;
    if (physical < boot->memory_end) {
        uint32_t type = bits & L4_TYPE_BITS;

        if (pages * PAGE > SHOWN_BYTES - physical)
            return L4_NO_MEMORY;
        if (type != L4_TYPE_WRITE_BACK && type != L4_TYPE_MESSAGE)
            return L4_BAD_ARGUMENT;
        if (type == L4_TYPE_MESSAGE)
            at = SHOWN_MESSAGE + physical;
    } else {
        if (pages > (DEVICES_END - next_device) / PAGE)
            return L4_NO_MEMORY;
        at = next_device;
        next_device += pages * PAGE;
    }
    return show(physical, at, pages, bits);
}

static int32_t reserve(struct l4_message *m)
{
    uint32_t left = (memory_end - next_free) / PAGE, leave = m->words[0];
    uint32_t most = m->words[1], badge = m->badge;

    if (badge >= BADGES || reserved[badge].to || left <= leave)
        return L4_NO_MEMORY;
    if (most && left - leave > most)
        leave = left - most;
    reserved[badge].to = memory_end;
    memory_end = reserved[badge].from = next_free + leave * PAGE;
    m->words[1] = reserved[badge].from;
    m->words[2] = reserved[badge].to - reserved[badge].from;
    return L4_OK;
}

static int32_t serve(struct l4_message *m, uint32_t *items)
{
    *items = 0;
    switch (m->tag >> L4_LABEL_SHIFT) {
    case SIGMA0_ANY:
        *items = 1;
        return give_any(m->words[0]);
    case SIGMA0_AT:
        *items = 1;
        return give_at(m);
    case SIGMA0_RESERVE:
        return reserve(m);
    case SIGMA0_DEVICES:
        if (m->badge || m->words[0] >= BADGES)
            return L4_NO_RIGHT;
        devices_allowed[m->words[0]] = 1;
        return L4_OK;
    default:
        return L4_BAD_ARGUMENT;
    }
}

int main(void)
{
    struct l4_message m = {0};
    uint32_t items = 0;
    int32_t result = l4_invoke(0, L4_RECEIVE | L4_FOREVER, &m);

    next_free = boot->memory_start;
    memory_end = boot->memory_end;
    for (;;) {
        /* A reply that did not arrive brings the next caller, too. */
        result = result == L4_OK ? serve(&m, &items) : L4_BAD_ARGUMENT;
        m.tag = L4_TAG(0, 3) | L4_TAG_ITEMS(result == L4_OK ? items : 0);
        m.words[0] = (uint32_t)result;
        result = l4_invoke(0, L4_REPLY_WAIT | L4_FOREVER, &m);
    }
}
