/*
 * registers.c: registers of the chip, read and written one by one by the
 * kernel, for the server that decides who may.
 *
 * Locks, interrupts, resets and LUT entries lie in one page, so nobody maps
 * it. Two kinds of words are out of reach even here: LUT entries, by which a
 * core would see another one's memory or the kernel's, and, of the channels
 * to the host, all but this core's. A capability with a badge is for the pins
 * of one core alone: who has it interrupts that core, and does nothing else.
 */
#include "kernel/kernel.h"
#include "common/processor.h"
#include "scc/host_channel.h"
#include "scc/registers.h"

#define TILE_BYTES 0x2000u
#define FPGA_BYTES 0x10000u
#define HOST_BYTES SCC_HOST_CHANNEL_STRIDE
/* The pins of GLCFG below HALT are the core's inputs. */
#define OTHER_INPUTS ((SCC_CRB_GLCFG_HALT - 1) & ~SCC_CRB_GLCFG_INTR)

/* A tile's registers, as an offset; else something larger than all of them. */
static u32 of_a_tile(u32 physical)
{
    u32 window = physical & 0xFF000000;
    u32 tiles = SCC_CRB_BASE_COUNT * SCC_CRB_BASE_STRIDE;

    if (window - SCC_CRB_BASE >= tiles && window != SCC_CRB_OWN)
        return ~0u;
    return physical & 0x00FFFFFF;
}

static u32 own_channel, programs_start;

/* Where programs' memory begins: the kernel's lies below it. */
void registers_init(u32 core, u32 memory_start)
{
    own_channel = SCC_HOST_CHANNEL_OF(core);
    programs_start = memory_start;
}

static bool is_register(u32 physical, bool write)
{
    u32 tile = of_a_tile(physical);

    if (physical % 4)
        return false;
    if (tile < TILE_BYTES)
        return !write || tile < SCC_LUT_LUT0(0);
    return physical - SCC_FPGA_BASE < FPGA_BYTES ||
           physical - own_channel < HOST_BYTES;
}

/* The host reads and writes memory at the addresses that these say. */
static bool reaches_the_kernel(u32 physical, u32 value)
{
    u32 offset = physical - own_channel;

    return (offset == SCC_HOST_REQUEST_ADDRESS ||
            offset == SCC_HOST_REPLY_ADDRESS) &&
           value < programs_start;
}

static u32 page_of(u32 physical)
{
    static u32 page, mapped;

    if (!page || mapped != (physical & -PAGE)) {
        mapped = physical & -PAGE;
        page = device_page(DEVICE_ASKED, mapped);
    }
    return page;
}

/* Of a core's input pins only the one for other cores' interrupts moves. Its
 * output pins change meanwhile: HALT when it sleeps. */
static s32 pins_invoke(struct thread *t, u32 core, u32 operation)
{
    u32 physical =
        SCC_CRB_BASE + core / 2 * SCC_CRB_BASE_STRIDE + SCC_CRB_GLCFG(core % 2);
    u32 at, old, new;

    if (core >= 2 * SCC_CRB_BASE_COUNT || operation < L4_PINS_READ ||
        operation > L4_PINS_SET)
        return L4_BAD_ARGUMENT;
    at = page_of(physical) + physical % PAGE;
    old = read_register(at);
    new = operation == L4_PINS_SET ? old | t->ebx : t->ebx;
    if (operation != L4_PINS_READ) {
        if ((old ^ new) & OTHER_INPUTS)
            return L4_NO_RIGHT;
        write_register(at, new);
    }
    t->esi = old;
    return L4_OK;
}

s32 registers_invoke(struct thread *t, struct slot *slot, u32 operation)
{
    bool write = operation == L4_REGISTERS_WRITE;
    u32 at;

    if (slot->badge)
        return pins_invoke(t, slot->badge - 1, operation);
    if (!write && operation != L4_REGISTERS_READ)
        return L4_BAD_ARGUMENT;
    if (!is_register(t->ebx, write) ||
        (write && reaches_the_kernel(t->ebx, t->esi)))
        return L4_NO_RIGHT;
    at = page_of(t->ebx) + t->ebx % PAGE;
    if (write)
        write_register(at, t->esi);
    else
        t->esi = read_register(at);
    return L4_OK;
}
