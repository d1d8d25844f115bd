/*
 * notify.c: how a core learns that a packet has come, or that the partner's
 * MPB is free.
 */
#include "scctalk.h"
#include "window.h"

static volatile uint32_t *partner_pins;
static int interrupts;
uint64_t interrupt_cycles;

void window_of_partner(uint32_t core)
{
    volatile uint32_t *tile =
        map_window("/dev/rckncm", CRB_BASE + (core / 2 << 24), 4096);
    partner_pins = tile + (CRB_GLCFG + core % 2 * 8) / 4;
}

int notify_open(void)
{
    interrupts = open("/dev/rckirq", O_RDONLY);
    return interrupts >= 0;
}

/* Sets the partner's interrupt pin: a read and a write of its register. */
void notify_partner(void)
{
    *partner_pins = *partner_pins | GLCFG_INTR;
}

static struct header wait_polling(void)
{
    struct header header;

    do {
        cl1invmb();
        header = mpb_header(own_mpb);
    } while (!header_is_valid(header));
    return header;
}

static struct header wait_sleeping(void)
{
    struct __attribute__((packed)) {
        uint32_t count;
        uint64_t entry;
    } report;

    if (read(interrupts, &report, sizeof(report)) == sizeof(report))
        interrupt_cycles += cycles_now() - report.entry;
    cl1invmb();
    return mpb_header(own_mpb);
}

struct header wait_for_packet(enum notice notice)
{
    return notice == POLL ? wait_polling() : wait_sleeping();
}

/* The partner has set its MPB's header: it has begun. */
void wait_until_free(void)
{
    do
        cl1invmb();
    while (!header_is_free(mpb_header(other_mpb)));
}
