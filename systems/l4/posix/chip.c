/*
 * chip.c: the chip through the server io: registers word by word, pages of
 * message buffers and of shared memory, interrupts of other cores.
 */
#include "drivers/drivers.h"
#include "l4/io.h"
#include "lib/options.h"
#include "lib/x86.h"
#include "posix/posix.h"

/* Registers have no address in a program: theirs are the physical ones, where
 * the microkernel itself lies. */
#define REGISTERS L4_USER_END

static s32 ask(struct l4_message *m)
{
    s32 result = l4_invoke(L4_SLOT_SERVER, L4_CALL | L4_FOREVER, m);

    return result ? result : (s32)m->words[0];
}

s32 chip_read(u32 physical, u32 *value)
{
    struct l4_message m = {L4_TAG(IO_READ, 1), {physical, 0, 0}, 0};
    s32 result = ask(&m);

    *value = m.words[1];
    return result;
}

s32 chip_write(u32 physical, u32 value)
{
    struct l4_message m = {L4_TAG(IO_WRITE, 2), {physical, value, 0}, 0};

    return ask(&m);
}

/* One page; bits: a memory type, and 2 if it is to be written. */
s32 chip_map(u32 physical, u32 bits, u32 address)
{
    struct l4_message m = {L4_TAG(IO_MAP, 2), {physical, bits, 0}, 0};

    l4_utcb()->page_window = address;
    l4_utcb()->page_window_pages = 1;
    return ask(&m);
}

s32 chip_interrupts(u32 slot)
{
    struct l4_message m = {L4_TAG(IO_PIN, 0), {0, 0, 0}, 0};

    l4_utcb()->slot_window = slot;
    l4_utcb()->slot_window_count = 1;
    return ask(&m);
}

/* Without io there is no way to the host's record of the end, either. */
static void refused(u32 address, const char *what)
{
    print("l4: core %u: io does not let register %08x be %s; does the plan "
          "say that this task uses io?\n",
          options.core, address, what);
    l4_do(L4_SLOT_CORE, L4_CORE_END, 1, 0, 0);
}

u32 read_register(u32 address)
{
    u32 value;

    if (address < REGISTERS)
        return *(volatile u32 *)address;
    if (chip_read(address, &value))
        refused(address, "read");
    return value;
}

void write_register(u32 address, u32 value)
{
    if (address < REGISTERS)
        *(volatile u32 *)address = value;
    else if (chip_write(address, value))
        refused(address, "written");
}
