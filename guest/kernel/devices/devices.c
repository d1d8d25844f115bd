/* /dev: the SCC's three memory devices, interrupts of other cores (pin.c),
 * mailboxes (mailbox.c), counters (msr.c), and the usual small ones.
 *
 * mmap of a memory device maps core-physical addresses, the offset being the
 * address, with the memory type that the device stands for: /dev/rckmpb for
 * message buffers (MPBT), /dev/rckncm for registers and uncached shared
 * memory, /dev/rckdcm for cached shared memory [scc-linux-2011]. On a chip
 * that is not the SCC, /dev/rckmpb has from offset 4 GB on the buffers of all
 * cores one after the other (buffers.c).
 */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "devices/devices.h"
#include "drivers/drivers.h"
#include "lib/random.h"
#include "lib/string.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "messages/messages.h"
#include "open_files/file.h"

enum kind { CONSOLE, NULL_FILE, ZERO, FULL, RANDOM, MEMORY, PIN, MAIL, MSR };

struct device {
    const char *name;
    enum kind kind;
    u32 value; /* console: port; memory: type; mail: with interrupts */
    u32 number;
};

static const struct device devices[] = {
    {"/dev/null", NULL_FILE, 0, 0x103},
    {"/dev/zero", ZERO, 0, 0x105},
    {"/dev/full", FULL, 0, 0x107},
    {"/dev/random", RANDOM, 0, 0x108},
    {"/dev/urandom", RANDOM, 0, 0x109},
    {"/dev/tty", CONSOLE, COM1, 0x500},
    {"/dev/console", CONSOLE, COM1, 0x501},
    {"/dev/stdin", CONSOLE, COM1, 0x440},
    {"/dev/stdout", CONSOLE, COM1, 0x440},
    {"/dev/stderr", CONSOLE, COM2, 0x441},
    {"/dev/rckmpb", MEMORY, TYPE_MPBT, 0xFC00},
    {"/dev/rckncm", MEMORY, TYPE_UNCACHED, 0xFC01},
    {"/dev/rckdcm", MEMORY, TYPE_WRITE_BACK, 0xFC02},
    {"/dev/rckirq", PIN, 0, 0xFC03},
    {"/dev/rckmail", MAIL, 1, 0xFC04},
    {"/dev/rckbox", MAIL, 0, 0xFC05},
    {"/dev/cpu/0/msr", MSR, 0, 0xCA00},
};

static const struct device *device_of(const struct file *file)
{
    return &devices[file->fid];
}

static s32 device_read(struct file *file, void *buffer, u32 count, u64 offset)
{
    (void)offset;
    switch (device_of(file)->kind) {
    case ZERO:
    case FULL:
        memset(buffer, 0, count);
        return (s32)count;
    case RANDOM:
        random_bytes(buffer, count);
        return (s32)count;
    case NULL_FILE:
        return 0;
    case PIN:
        return pin_read(file, buffer, count);
    case MAIL:
        return mailbox_read(file, buffer, count, file->value != 0);
    default:
        return -EINVAL;
    }
}

static s32 device_write(struct file *file, const void *buffer, u32 count,
                        u64 offset)
{
    (void)offset;
    switch (device_of(file)->kind) {
    case FULL:
        return -ENOSPC;
    case MAIL:
        return mailbox_write(file, buffer, count, file->value != 0);
    case MEMORY:
        /* The SCC's drivers used a write as the command to flush: cached
         * shared memory must leave the L2 before others can see it. */
        if (file->value == TYPE_WRITE_BACK)
            cache_flush_all();
        return (s32)count;
    default:
        return (s32)count;
    }
}

static u32 device_ready(struct file *file)
{
    switch (device_of(file)->kind) {
    case PIN:
        return pin_ready() ? POLLIN : 0;
    case MAIL:
        return POLLOUT | (mailbox_ready() ? POLLIN : 0);
    default:
        return POLLIN | POLLOUT;
    }
}

static void fill_status(const struct device *device, struct status *status)
{
    *status = (struct status){
        .mode = S_IFCHR | 0666,
        .links = 1,
        .rdevice = device->number,
        .inode = device->number,
        .block_size = PAGE_SIZE,
    };
}

static s32 device_file_status(struct file *file, struct status *status)
{
    fill_status(device_of(file), status);
    return 0;
}

static const struct file_ops device_ops = {
    .read = device_read,
    .write = device_write,
    .status = device_file_status,
    .ready = device_ready,
};

static const struct file_ops msr_ops = {
    .read = msr_read,
    .write = msr_write,
    .status = device_file_status,
    .seekable = true,
};

static const struct file_ops *ops_of(enum kind kind)
{
    if (kind == CONSOLE)
        return &console_ops;
    return kind == MSR ? &msr_ops : &device_ops;
}

bool device_path(const char *path)
{
    return string_starts(path, "/dev/") || string_equal(path, "/dev");
}

static const struct device *find(const char *path)
{
    for (u32 n = 0; n < COUNT(devices); n++)
        if (string_equal(devices[n].name, path))
            return &devices[n];
    return NULL;
}

s32 device_open(const char *path, u32 flags, struct file **out)
{
    const struct device *device = find(path);
    s32 error;

    if (!device)
        return string_equal(path, "/dev") ? -EACCES : -ENOENT;
    /* Mailboxes are made for the SCC's 48 cores. */
    if (device->kind == MAIL && buffers_size())
        return -ENODEV;
    error = file_new(ops_of(device->kind), flags, out);
    if (error)
        return error;
    (*out)->value = device->value;
    (*out)->fid = (u32)(device - devices);
    if (device->kind == PIN)
        pin_open();
    if (device->kind == MAIL)
        mailbox_open(device->value != 0);
    return 0;
}

s32 device_status(const char *path, struct status *status)
{
    const struct device *device = find(path);

    if (device) {
        fill_status(device, status);
        return 0;
    }
    if (!string_equal(path, "/dev"))
        return -ENOENT;
    *status = (struct status){.mode = S_IFDIR | 0555, .links = 2};
    return 0;
}

/* The memory type for mmap of this file; -ENODEV if it is no such device. */
s32 device_map_type(const struct file *file, u32 *type)
{
    if (file->ops != &device_ops || device_of(file)->kind != MEMORY)
        return -ENODEV;
    *type = file->value;
    return 0;
}

/* The file's flags have changed: with O_ASYNC, SIGIO notifies of a mail. */
void device_announce(const struct file *file)
{
    if (file->ops == &device_ops && device_of(file)->kind == MAIL)
        mailbox_announce((file->flags & O_ASYNC) != 0);
}

/* Mapping /dev/zero is the old way to ask for anonymous memory. */
bool device_zero(const struct file *file)
{
    return file->ops == &device_ops && device_of(file)->kind == ZERO;
}
