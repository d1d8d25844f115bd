/*
 * boxes.c: lines between two cores. Only whole lines are written: they leave
 * the write-combine buffer when they are full, so the mark arrives with all
 * else [intel-eas].
 */
#include "l4/io.h"
#include "scc/cache.h"
#include "scc/memory_map.h"
#include "servers/far/far.h"

#define PAGE 4096u
#define MARK 0x4C340001u
#define WINDOW 0x10000000u /* the second page of each core's buffer */
/* The last 3 KB of a core's buffer. */
#define BOXES (SCC_MPB_SIZE_PER_CORE - 2 * CORES * SCC_LINE_SIZE)

static const struct l4_boot *boot = (const void *)L4_BOOT_INFORMATION;

/* The second page of the core's buffer; null: io does not give it. */
static volatile uint32_t *page_of(uint32_t core)
{
    static uint8_t have[CORES];
    uint32_t address = WINDOW + core * PAGE;
    struct l4_message m = {L4_TAG(IO_MAP, 2), {0, L4_TYPE_MESSAGE | 2, 0}, 0};

    if (core >= CORES)
        return NULL;
    if (!have[core]) {
        m.words[0] = SCC_MPB_BASE + (core / 2 << 24) +
                     core % 2 * SCC_MPB_SIZE_PER_CORE + PAGE;
        l4_utcb()->page_window = address;
        l4_utcb()->page_window_pages = 1;
        if (l4_ask(L4_SLOT_SERVER, &m))
            return NULL;
        have[core] = 1;
    }
    return (volatile uint32_t *)address;
}

static volatile uint32_t *box(uint32_t owner, uint32_t sender, enum kind kind)
{
    volatile uint32_t *page = page_of(owner);
    uint32_t number = kind * CORES + sender;

    return page ? page + (BOXES - PAGE + number * SCC_LINE_SIZE) / 4 : NULL;
}

static void write_line(volatile uint32_t *to, const uint32_t *from)
{
    for (int n = 0; n < LINE_WORDS; n++)
        to[n] = from[n];
}

void boxes_look(void)
{
    scc_cl1invmb();
}

/* 0: the box is full, so its owner does not look, or not there. */
int box_put(uint32_t core, enum kind kind, const struct line *line)
{
    volatile uint32_t *to = box(core, boot->core, kind);
    struct line full = *line;

    if (!to)
        return 0;
    scc_cl1invmb();
    if (kind == REQUEST && to[0] == MARK)
        return 0;
    scc_cl1invmb();
    full.mark = MARK;
    write_line(to, &full.mark);
    return 1;
}

int box_take(uint32_t sender, enum kind kind, struct line *line)
{
    static const uint32_t empty[LINE_WORDS];
    volatile uint32_t *from = box(boot->core, sender, kind);
    uint32_t *to = &line->mark;

    if (!from || from[0] != MARK)
        return 0;
    for (int n = 0; n < LINE_WORDS; n++)
        to[n] = from[n];
    scc_cl1invmb(); /* no store may hit L1 */
    write_line(from, empty);
    return 1;
}
