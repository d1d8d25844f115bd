/* /dev/cpu/0/msr: the performance counters, as Linux shows them
 * [scc-linux-2011]: the offset is the register's number, a transfer 8 bytes.
 * Only the time stamp counter and the counters are there; writing another
 * register could take the core away from this kernel. */
#include "abi/abi.h"
#include "devices/devices.h"
#include "lib/string.h"
#include "lib/types.h"

#define TSC 0x10
#define CESR 0x11
#define CTR1 0x13
#define BYTES 8

static u64 read_register(u32 number)
{
    u64 value;

    __asm__ volatile("rdmsr" : "=A"(value) : "c"(number));
    return value;
}

static void write_register(u32 number, u64 value)
{
    __asm__ volatile("wrmsr" : : "c"(number), "A"(value));
}

/* The register at an offset; 0 if there is none. */
static u32 number_of(u64 offset, u32 first)
{
    return offset >= first && offset <= CTR1 ? (u32)offset : 0;
}

s32 msr_read(struct file *file, void *buffer, u32 count, u64 offset)
{
    u32 number = number_of(offset, TSC);

    (void)file;
    if (count < BYTES)
        return -EINVAL;
    if (!number)
        return -EIO;
    u64 value = read_register(number);
    memcpy(buffer, &value, BYTES);
    return BYTES;
}

s32 msr_write(struct file *file, const void *buffer, u32 count, u64 offset)
{
    u32 number = number_of(offset, CESR);
    u64 value;

    (void)file;
    if (count < BYTES)
        return -EINVAL;
    if (!number)
        return -EIO;
    memcpy(&value, buffer, BYTES);
    write_register(number, value);
    return BYTES;
}
