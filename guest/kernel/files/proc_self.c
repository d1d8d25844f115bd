/* Texts of /proc about the program. What is in use of memory is counted with
 * the kernel's own page tables and buffers. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "drivers/drivers.h"
#include "files/files.h"
#include "files/proc.h"
#include "lib/divide.h"
#include "lib/options.h"
#include "lib/string.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "memory/region.h"
#include "open_files/file.h"
#include "process/cpu_time.h"
#include "process/process.h"
#include "process/thread.h"

#define NS_PER_TICK 10000000u

static struct {
    u32 physical, length;
    const u8 *bytes; /* once somebody has read them */
} image;

void proc_set_image(u32 physical, u32 length)
{
    image.physical = physical;
    image.length = length;
    image.bytes = NULL;
}

u32 proc_image_size(void)
{
    return image.length;
}

/* The file that the loader has left. */
void proc_image(struct text *text)
{
    if (!image.bytes)
        image.bytes = (const u8 *)vm_map_kernel(image.physical, image.length,
                                                TYPE_WRITE_BACK);
    put_bytes(text, image.bytes, image.length);
}

static const char *name_of(const struct region *region)
{
    if (region->end == STACK_TOP)
        return "[stack]";
    if (region->kind == REGION_OBJECT)
        return "/dev/shm";
    if (region->kind != REGION_ANONYMOUS)
        return "/dev/mem";
    if (region->start == heap_start)
        return "[heap]";
    return region->end <= heap_start ? program_name : "";
}

/* One line for each range of addresses, as Linux writes it. */
void proc_maps(struct text *text)
{
    const struct region *region;

    for (u32 n = 0; (region = region_at(n)) && text->done < text->room; n++) {
        const char *name = name_of(region);
        bool file = name[0] && name[0] != '[';

        put_line(text, "%08x-%08x %c%c%c%c %08x 00:%02x %u", region->start,
                 region->end, region->protection & PROT_READ ? 'r' : '-',
                 region->protection & PROT_WRITE ? 'w' : '-',
                 region->protection & PROT_EXEC ? 'x' : '-',
                 region->kind == REGION_ANONYMOUS ? 'p' : 's',
                 region->kind == REGION_ANONYMOUS ? 0 : region->physical,
                 file ? 1 : 0, file ? 1 : 0);
        put_line(text, "%s%s%s\n", name[0] ? "  " : "",
                 name[0] == '/' || name[0] == '[' || !name[0] ? "" : "/", name);
    }
}

static u32 in_use(void)
{
    return frames_total() - frames_available();
}

void proc_self_status(struct text *text)
{
    put_line(text, "Name:\t%s\nUmask:\t0022\nState:\tR (running)\n",
             path_last(program_name));
    put_line(text, "Tgid:\t%d\nPid:\t%d\nPPid:\t%d\nTracerPid:\t0\n",
             process_id(), process_id(), process_parent());
    put_line(text, "Uid:\t0\t0\t0\t0\nGid:\t0\t0\t0\t0\nFDSize:\t256\n");
    put_line(text, "VmPeak:\t%8u kB\nVmSize:\t%8u kB\n",
             kilobytes(region_pages_most()), kilobytes(region_pages()));
    put_line(text, "VmHWM:\t%8u kB\nVmRSS:\t%8u kB\n", kilobytes(frames_most()),
             kilobytes(in_use()));
    put_line(text, "VmData:\t%8u kB\nVmStk:\t%8u kB\nVmSwap:\t%8u kB\n",
             kilobytes(region_anonymous_pages()), STACK_SIZE / 1024, 0);
    put_line(text, "Threads:\t%u\nCpus_allowed:\t1\nCpus_allowed_list:\t0\n",
             threads_count());
}

void proc_stat(struct text *text)
{
    u32 ticks = (u32)divide(time_of(CPU_OF_PROCESS), NS_PER_TICK, NULL);

    put_line(text, "%d (%s) R %d %d %d 0 -1 0 0 0 0 0 %u 0 0 0 20 0 %u 0 0 ",
             process_id(), path_last(program_name), process_parent(),
             process_id(), process_id(), ticks, threads_count());
    put_line(text, "%u %u 4294967295 0 0 %u 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0\n",
             region_pages() * PAGE_SIZE, in_use(), STACK_TOP);
}

void proc_statm(struct text *text)
{
    put_line(text, "%u %u 0 0 0 %u 0\n", region_pages(), in_use(),
             region_anonymous_pages());
}

/* Strings, each ended by a zero. */
static void put_list(struct text *text, const char *list, u32 count)
{
    const char *end = list;

    while (count--)
        end += string_length(end) + 1;
    put_bytes(text, list, (u32)(end - list));
}

void proc_arguments(struct text *text)
{
    put_list(text, options.arguments, options.argument_count);
}

void proc_environment(struct text *text)
{
    put_list(text, options.environment, options.environment_count);
}

void proc_name(struct text *text)
{
    put_line(text, "%s\n", path_last(program_name));
}

/* What an open descriptor leads to: fd/NUMBER. */
static s32 descriptor_link(const char *number, char *target, u32 size)
{
    struct status status;
    struct file *file;
    u32 descriptor = 0;

    for (; *number >= '0' && *number <= '9'; number++)
        descriptor = descriptor * 10 + (u32)(*number - '0');
    file = *number ? NULL : file_of(descriptor);
    if (!file || file->ops->status(file, &status))
        return -ENOENT;
    if (file->path[0])
        return (s32)format_text(target, size, "%s", file->path);
    if ((status.mode & S_IFMT) == S_IFCHR)
        return (s32)format_text(target, size, "/dev/%s",
                                descriptor < 3 ? "console" : "null");
    return (s32)format_text(target, size, "%s:[%u]",
                            (status.mode & S_IFMT) == S_IFIFO    ? "pipe"
                            : (status.mode & S_IFMT) == S_IFSOCK ? "socket"
                                                                 : "anon_inode",
                            descriptor);
}

s32 proc_self_link(const char *name, char *target, u32 size)
{
    if (string_equal(name, "exe"))
        return (s32)format_text(target, size, "/%s", program_name);
    if (string_equal(name, "cwd"))
        return (s32)format_text(target, size, "%s", vfs_directory());
    if (string_equal(name, "root"))
        return (s32)format_text(target, size, "/");
    if (string_starts(name, "fd/") && name[3])
        return descriptor_link(name + 3, target, size);
    return -ENOENT;
}
