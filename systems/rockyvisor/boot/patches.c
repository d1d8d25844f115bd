/*
 * patches.c: puts instructions that trap in the place of those that do not,
 * where the module `patches` says (README.md).
 */
#include "boot/loading.h"

static const u8 one_byte[][2] = {{0x9D, 0x6C}, {0xCF, 0x6E}};
static const u8 two_bytes[][2] = {
    {0xA2, 0xA6}, {0x00, 0x04}, {0x01, 0xA7}, {0x02, 0x05}, {0x03, 0x07}};

static u8 replacement(const u8 (*table)[2], u32 count, u8 old)
{
    for (u32 n = 0; n < count; n++)
        if (table[n][0] == old)
            return table[n][1];
    return 0;
}

static void patch(u32 at)
{
    u8 bytes[2], new;
    u32 which;

    if (!physical_read(at, bytes, 2))
        give_up("a patch lies beyond the guest's memory, at", at);
    which = bytes[0] == 0x0F;
    new = which ? replacement(two_bytes, 5, bytes[1])
                : replacement(one_byte, 2, bytes[0]);
    if (!new)
        give_up("a patch is for no instruction that needs one, at", at);
    physical_write(at + which, &new, 1);
}

void guest_patch(void)
{
    const struct module *module = module_named("patches");
    const u32 *places;

    if (!module)
        return;
    places = (const u32 *)(VISOR_BASE + module->start);
    for (u32 n = 0; n < (module->end - module->start) / 4; n++)
        patch(places[n]);
}
