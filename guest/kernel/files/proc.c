/* /proc: the few texts that programs look for.
 *
 * /proc/rck/launch gives a message-passing library what SCC's launcher put
 * on the command line: number of cores, their clock in GHz, the hardware
 * number of each in the order of the ranks (of more than 48 cores as ranges,
 * 0-127), and this core's rank.
 */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "drivers/drivers.h"
#include "files/files.h"
#include "lib/divide.h"
#include "lib/options.h"
#include "lib/string.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "open_files/file.h"

static char launch_text[2048];
static char processor_text[512];
static char memory_text[128];

static const char *launch(void)
{
    u32 length = format_text(launch_text, sizeof(launch_text), "%u %u.%03u ",
                             options.core_count, options.megahertz / 1000,
                             options.megahertz % 1000);

    for (const char *c = options.cores; *c; c++)
        if (length + 16 < sizeof(launch_text))
            launch_text[length++] = *c == ',' ? ' ' : *c;
    format_text(launch_text + length, sizeof(launch_text) - length, " %u\n",
                options.rank);
    return launch_text;
}

static const char *processor(void)
{
    u32 kilohertz = (u32)divide(1000000000ull, cycle_picoseconds, NULL);

    format_text(processor_text, sizeof(processor_text),
                "processor\t: 0\nvendor_id\t: GenuineIntel\n"
                "cpu family\t: 5\nmodel\t\t: 2\n"
                "model name\t: SCC core %u\n"
                "cpu MHz\t\t: %u.%03u\ncache size\t: 256 KB\n"
                "flags\t\t: fpu vme de pse tsc msr mce cx8 apic\n\n",
                options.core, kilohertz / 1000, kilohertz % 1000);
    return processor_text;
}

static const char *memory(void)
{
    format_text(memory_text, sizeof(memory_text),
                "MemTotal: %12u kB\nMemFree: %13u kB\n",
                frames_total() * (PAGE_SIZE / 1024),
                frames_available() * (PAGE_SIZE / 1024));
    return memory_text;
}

struct entry {
    const char *path;
    const char *(*text)(void); /* null: a directory */
};

static const struct entry entries[] = {
    {"/proc", NULL},
    {"/proc/rck", NULL},
    {"/proc/rck/launch", launch},
    {"/proc/cpuinfo", processor},
    {"/proc/meminfo", memory},
};

static const struct entry *find(const char *path)
{
    for (u32 n = 0; n < COUNT(entries); n++)
        if (string_equal(entries[n].path, path))
            return &entries[n];
    return NULL;
}

static void fill_status(const struct entry *entry, struct status *status)
{
    *status = (struct status){
        .mode = entry->text ? S_IFREG | 0444 : S_IFDIR | 0555,
        .links = 1,
        .inode = (u64)(entry - entries) + 1,
        .block_size = 1024,
    };
}

static s32 proc_read(struct file *file, void *buffer, u32 count, u64 offset)
{
    u32 length = string_length(file->text);

    if (offset >= length)
        return 0;
    if (count > length - (u32)offset)
        count = length - (u32)offset;
    memcpy(buffer, file->text + (u32)offset, count);
    return (s32)count;
}

static s32 proc_file_status(struct file *file, struct status *status)
{
    fill_status(&entries[file->fid], status);
    return 0;
}

static const struct file_ops proc_ops = {
    .seekable = true,
    .read = proc_read,
    .status = proc_file_status,
};

bool proc_path(const char *path)
{
    return string_starts(path, "/proc/") || string_equal(path, "/proc");
}

s32 proc_open(const char *path, u32 flags, struct file **out)
{
    const struct entry *entry = find(path);
    s32 error;

    if (!entry)
        return -ENOENT;
    if (!entry->text)
        return -EACCES;
    if ((flags & O_ACCMODE) != O_RDONLY)
        return -EACCES;
    error = file_new(&proc_ops, flags, out);
    if (error)
        return error;
    (*out)->fid = (u32)(entry - entries);
    (*out)->text = entry->text();
    return 0;
}

s32 proc_status(const char *path, struct status *status)
{
    const struct entry *entry = find(path);

    if (!entry)
        return -ENOENT;
    fill_status(entry, status);
    return 0;
}

/* /proc/self/exe is the program; there are no other links. */
s32 proc_link(const char *path, char *target, u32 size)
{
    if (!string_equal(path, "/proc/self/exe"))
        return find(path) ? -EINVAL : -ENOENT;
    return (s32)format_text(target, size, "/%s", program_name);
}
