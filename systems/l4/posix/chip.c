/*
 * chip.c: the chip through the server io: registers word by word, pages of
 * message buffers and of shared memory, interrupts of other cores.
 */
#include "drivers/drivers.h"
#include "l4/io.h"
#include "lib/options.h"
#include "lib/string.h"
#include "lib/x86.h"
#include "posix/posix.h"
#include "scc/host_channel.h"
#include "scc/registers.h"

/* Registers have no address in a program: theirs are the physical ones, where
 * the microkernel itself lies. */
#define REGISTERS L4_USER_END

/* The core whose pins this register has; CORES if it is not a register of pins. */
static u32 pins_at(u32 physical)
{
    u32 offset = physical & 0x00FFFFFF;
    u32 tile = (physical - SCC_CRB_BASE) >> 24;

    if (offset != SCC_CRB_GLCFG(0) && offset != SCC_CRB_GLCFG(1))
        return CORES;
    if (physical - offset == SCC_CRB_OWN)
        tile = options.core / 2;
    return tile < CORES / 2 ? 2 * tile + (offset == SCC_CRB_GLCFG(1)) : CORES;
}

/* A capability, in the slot or from there on. */
static s32 take_capability(u32 label, u32 word, u32 slot)
{
    struct l4_message m = {L4_TAG(label, 1), {word, 0, 0}, 0};

    l4_utcb()->slot_window = slot;
    l4_utcb()->slot_window_count = 1;
    return l4_ask(L4_SLOT_SERVER, &m);
}

static bool have[CORES]; /* the capability of that core's pins */

void chip_copied(void)
{
    memset(have, 0, sizeof(have));
}

/* Pins need no message to io, once it has given their capability. */
static s32 use_pins(u32 core, struct l4_message *m)
{
    s32 result;

    if (!have[core]) {
        result = take_capability(IO_PINS, core, SLOT_PINS + core);
        if (result)
            return result;
        have[core] = true;
    }
    return l4_call(SLOT_PINS + core, m);
}

s32 chip_read(u32 physical, u32 *value)
{
    u32 core = pins_at(physical);
    bool pins = core < CORES;
    struct l4_message m = {
        L4_TAG(pins ? L4_PINS_READ : IO_READ, 1), {physical, 0, 0}, 0};
    s32 result = pins ? use_pins(core, &m) : l4_ask(L4_SLOT_SERVER, &m);

    *value = m.words[1];
    return result;
}

/* Sets bits of a register, and says what it was. */
s32 chip_set(u32 physical, u32 bits, u32 *old)
{
    u32 core = pins_at(physical);
    struct l4_message m = {L4_TAG(L4_PINS_SET, 1), {bits, 0, 0}, 0};
    s32 result;

    if (core < CORES) {
        result = use_pins(core, &m);
        *old = m.words[1];
        return result;
    }
    result = chip_read(physical, old);
    return result ? result : chip_write(physical, *old | bits);
}

s32 chip_write(u32 physical, u32 value)
{
    u32 core = pins_at(physical);
    struct l4_message m = {L4_TAG(L4_PINS_WRITE, 1), {value, 0, 0}, 0};

    if (core < CORES)
        return use_pins(core, &m);
    m = (struct l4_message){L4_TAG(IO_WRITE, 2), {physical, value, 0}, 0};
    return l4_ask(L4_SLOT_SERVER, &m);
}

/* One page; bits: a memory type, and 2 if it is to be written. */
s32 chip_map(u32 physical, u32 bits, u32 address)
{
    struct l4_message m = {L4_TAG(IO_MAP, 2), {physical, bits, 0}, 0};

    l4_utcb()->page_window = address;
    l4_utcb()->page_window_pages = 1;
    return l4_ask(L4_SLOT_SERVER, &m);
}

s32 chip_interrupts(u32 slot)
{
    return take_capability(IO_PIN, 0, slot);
}

/* Without io there is no way to the host's record of the end, either. */
static void refused(u32 address, const char *what)
{
    print("l4: core %u: io does not let register %08x be %s; does the plan "
          "say that this task uses io?\n",
          options.core, address, what);
    l4_do(L4_SLOT_CORE, L4_CORE_END, 1, 0, 0);
}

/* This core's pin is down before the message of its interrupt comes: the
 * microkernel takes it down. */
static bool is_own_pin(u32 address)
{
    return address >= REGISTERS && pins_at(address) == options.core;
}

u32 read_register(u32 address)
{
    u32 value;

    if (is_own_pin(address))
        return 0;
    if (address < REGISTERS)
        return *(volatile u32 *)address;
    if (chip_read(address, &value))
        refused(address, "read");
    return value;
}

/* Of several programs on a core the last one ends it, with the exit code of
 * all of them. */
static u32 leave(u32 code)
{
    struct l4_message m = {L4_TAG(L4_CORE_LEAVE, 1), {code, 0, 0}, 0};

    return l4_call(L4_SLOT_CORE, &m) == L4_OK ? m.words[0] : code;
}

/* The record of a process that is not the first is for its parent. True: it was
 * not the core's. */
static bool end_of_child(u32 offset, u32 value)
{
    static u32 reason, code;

    if (offset == SCC_HOST_EXIT_REASON)
        reason = value;
    if (offset == SCC_HOST_EXIT_CODE)
        code = value;
    if (!family_is_child() || reason == SCC_EXIT_PANIC ||
        offset - SCC_HOST_EXIT_REASON >
            SCC_HOST_EXIT_DONE - SCC_HOST_EXIT_REASON)
        return false;
    if (offset == SCC_HOST_EXIT_DONE)
        family_end(reason, code);
    return true;
}

void write_register(u32 address, u32 value)
{
    static u32 reason;
    u32 offset = address - SCC_HOST_CHANNEL_OF(options.core);

    if (end_of_child(offset, value))
        return;
    if (offset == SCC_HOST_EXIT_REASON) {
        reason = value;
        if (reason == SCC_EXIT_NORMAL)
            family_wait();
    }
    if (offset == SCC_HOST_EXIT_CODE && reason == SCC_EXIT_NORMAL)
        value = leave(value);
    if (address < REGISTERS)
        *(volatile u32 *)address = value;
    else if (!is_own_pin(address) && chip_write(address, value))
        refused(address, "written");
}
