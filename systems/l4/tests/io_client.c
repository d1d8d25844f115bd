/*
 * io_client.c: a task that uses io and asks for what it must not have. The
 * plan starts it; its second task is io.
 */
#include "l4/io.h"
#include "l4/sigma0.h"
#include "lib/l4.h"
#include "scc/host_channel.h"
#include "scc/memory_map.h"
#include "scc/registers.h"

#define WINDOW 0x10000000u
#define PAGES_WINDOW 64
#define KERNEL 0x00100000u
#define PINS L4_SLOT_FREE

static int32_t ask(uint32_t gate, uint32_t label, uint32_t a, uint32_t b,
                   uint32_t c)
{
    struct l4_message m = {L4_TAG(label, 3), {a, b, c}, 0};

    l4_utcb()->page_window = WINDOW;
    l4_utcb()->page_window_pages = PAGES_WINDOW;
    return l4_ask(gate, &m);
}

static const struct {
    const char *name;
    uint32_t gate, label, a, b, c;
} tries[] = {
    {"a page of a buffer", L4_SLOT_SERVER, IO_MAP, SCC_MPB_BASE,
     L4_TYPE_MESSAGE | 2, 0},
    {"that page, uncached and MPBT", L4_SLOT_SERVER, IO_MAP, SCC_MPB_BASE,
     L4_TYPE_UNCACHED | L4_TYPE_MESSAGE, 0},
    {"a page behind a buffer", L4_SLOT_SERVER, IO_MAP, SCC_MPB_BASE + 0x4000,
     L4_TYPE_MESSAGE | 2, 0},
    {"registers of the own tile as a page", L4_SLOT_SERVER, IO_MAP, SCC_CRB_OWN,
     L4_TYPE_UNCACHED | 2, 0},
    {"registers of another tile as a page", L4_SLOT_SERVER, IO_MAP,
     SCC_CRB_BASE, L4_TYPE_UNCACHED | 2, 0},
    {"the local APIC", L4_SLOT_SERVER, IO_MAP, SCC_APIC_BASE,
     L4_TYPE_UNCACHED | 2, 0},
    {"the FPGA's page", L4_SLOT_SERVER, IO_MAP, SCC_FPGA_BASE,
     L4_TYPE_UNCACHED | 2, 0},
    {"the kernel's memory", L4_SLOT_SERVER, IO_MAP, KERNEL, 2, 0},
    {"private memory", L4_SLOT_SERVER, IO_MAP, 0x08000000, 2, 0},
    {"a LUT entry", L4_SLOT_SERVER, IO_WRITE, SCC_CRB_OWN + SCC_LUT_LUT0(1), 0,
     0},
    {"another tile's reset", L4_SLOT_SERVER, IO_WRITE,
     SCC_CRB_BASE + SCC_CRB_GLCFG(0), 0, 0},
    {"another core's mask of interrupts", L4_SLOT_SERVER, IO_WRITE,
     SCC_FPGA_BASE + SCC_FPGA_GIC_MASK(94), 0, 0},
    {"a request in another core's name", L4_SLOT_SERVER, IO_WRITE,
     SCC_FPGA_BASE + SCC_FPGA_GIC_REQUEST(94), 1, 0},
    {"another core's channel to the host", L4_SLOT_SERVER, IO_WRITE,
     SCC_HOST_CHANNEL_OF(47) + SCC_HOST_EXIT_DONE, 1, 0},
    {"the host to write into the kernel", L4_SLOT_SERVER, IO_WRITE,
     SCC_HOST_CHANNEL_OF(0) + SCC_HOST_REPLY_ADDRESS, KERNEL, 0},
    {"a register at an odd address", L4_SLOT_SERVER, IO_READ, SCC_CRB_OWN + 1,
     0, 0},
    {"a register of nothing", L4_SLOT_SERVER, IO_READ, 0x12345678, 0, 0},
    {"pins of a core behind the last", L4_SLOT_SERVER, IO_PINS, 48, 0, 0},
    {"a request that io does not know", L4_SLOT_SERVER, 99, 0, 0, 0},
    {"devices from sigma0", L4_SLOT_SIGMA0, SIGMA0_AT, SCC_CRB_OWN, 1, 2},
    {"buffers from sigma0", L4_SLOT_SIGMA0, SIGMA0_AT, SCC_MPB_BASE, 1, 2},
    {"the right to devices", L4_SLOT_SIGMA0, SIGMA0_DEVICES, 2, 0, 0},
    {"a module to be written", L4_SLOT_SIGMA0, SIGMA0_AT, 0x00200000, 1, 2},
    {"memory that is not reserved", L4_SLOT_SIGMA0, SIGMA0_AT, 0x08000000, 1,
     2},
    {"17 pages at once", L4_SLOT_SIGMA0, SIGMA0_ANY, 17, 0, 0},
};

/* What the pins of core 47, which nobody has started, do not do. */
static const struct {
    const char *name;
    uint32_t operation, a, b;
} pin_tries[] = {
    {"its reset", L4_PINS_WRITE, 0, 0},
    {"its NMI", L4_PINS_SET, SCC_CRB_GLCFG_NMI, 0},
    {"any register by its pins", L4_REGISTERS_READ, SCC_CRB_OWN, 0},
    {"a LUT entry by its pins", L4_REGISTERS_WRITE,
     SCC_CRB_OWN + SCC_LUT_LUT0(1), 0},
    {"an operation that there is not", L4_PINS_SET + 1, 0, 0},
    {"to interrupt it", L4_PINS_SET, SCC_CRB_GLCFG_INTR, 0},
};

static void misuse_pins(void)
{
    struct l4_message m = {L4_TAG(L4_PINS_READ, 0), {0, 0, 0}, 0};

    l4_utcb()->slot_window = PINS;
    l4_utcb()->slot_window_count = 1;
    say("pins of core 47: %d\n", (int)ask(L4_SLOT_SERVER, IO_PINS, 47, 0, 0));
    for (uint32_t n = 0; n < sizeof(pin_tries) / sizeof(pin_tries[0]); n++)
        say("%s: %d\n", pin_tries[n].name,
            (int)l4_do(PINS, pin_tries[n].operation, pin_tries[n].a,
                       pin_tries[n].b, 0));
    l4_call(PINS, &m);
    say("its pin: %x, another badge: %d\n", m.words[1] & SCC_CRB_GLCFG_INTR,
        (int)l4_do(L4_SLOT_TASK, L4_TASK_GIVE,
                   PINS << L4_SLOT_SHIFT | L4_RIGHTS, PINS + 1, 1));
}

int main(void)
{
    for (uint32_t n = 0; n < sizeof(tries) / sizeof(tries[0]); n++)
        say("%s: %d\n", tries[n].name,
            (int)ask(tries[n].gate, tries[n].label, tries[n].a, tries[n].b,
                     tries[n].c));
    misuse_pins();
    say("registers without io: %d\n",
        (int)l4_do(L4_SLOT_REGISTERS, L4_REGISTERS_READ, SCC_CRB_OWN, 0, 0));
    halt(0);
    return 0;
}
