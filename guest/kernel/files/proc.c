/* /proc: what programs look for there.
 *
 * /proc/rck/launch gives a message-passing library what SCC's launcher put
 * on the command line: number of cores, their clock in GHz, the hardware
 * number of each in the order of the ranks (of more than 48 cores as ranges,
 * 0-127), and this core's rank.
 *
 * Where no shared folder has them, the names of user and group 0, whose the
 * program is, are in /etc.
 */
#include "files/proc.h"
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "drivers/drivers.h"
#include "files/files.h"
#include "lib/string.h"
#include "lib/types.h"
#include "open_files/file.h"
#include "process/process.h"
#include "process/thread.h"

#define LINE_MAX 256u
#define SELF "/proc/self"

void put_bytes(struct text *text, const void *bytes, u32 count)
{
    const u8 *from = bytes;

    if (text->skip >= count) {
        text->skip -= count;
        return;
    }
    from += text->skip;
    count -= text->skip;
    text->skip = 0;
    if (count > text->room - text->done)
        count = text->room - text->done;
    memcpy(text->to + text->done, from, count);
    text->done += count;
}

u32 kilobytes(u32 frames)
{
    return frames * (PAGE_SIZE / 1024);
}

void put_line(struct text *text, const char *format, ...)
{
    char line[LINE_MAX];
    va_list list;
    u32 length;

    va_start(list, format);
    length = format_list(line, sizeof(line), format, list);
    va_end(list);
    put_bytes(text, line, length < LINE_MAX ? length : LINE_MAX - 1);
}

struct entry {
    const char *path;
    void (*put)(struct text *text); /* null: a directory */
    u32 mode;
};

static const struct entry entries[] = {
    {"/proc", NULL, S_IFDIR | 0555},
    {"/proc/rck", NULL, S_IFDIR | 0555},
    {"/proc/rck/launch", proc_launch, S_IFREG | 0444},
    {"/proc/cpuinfo", proc_processor, S_IFREG | 0444},
    {"/proc/meminfo", proc_memory, S_IFREG | 0444},
    {"/proc/uptime", proc_uptime, S_IFREG | 0444},
    {"/proc/loadavg", proc_load, S_IFREG | 0444},
    {"/proc/stat", proc_times, S_IFREG | 0444},
    {"/proc/version", proc_version, S_IFREG | 0444},
    {SELF, NULL, S_IFDIR | 0555},
    {SELF "/fd", NULL, S_IFDIR | 0500},
    {SELF "/maps", proc_maps, S_IFREG | 0444},
    {SELF "/status", proc_self_status, S_IFREG | 0444},
    {SELF "/stat", proc_stat, S_IFREG | 0444},
    {SELF "/statm", proc_statm, S_IFREG | 0444},
    {SELF "/cmdline", proc_arguments, S_IFREG | 0444},
    {SELF "/environ", proc_environment, S_IFREG | 0400},
    {SELF "/comm", proc_name, S_IFREG | 0644},
    {SELF "/exe", proc_image, S_IFREG | 0755},
    {"/etc/passwd", proc_users, S_IFREG | 0444},
    {"/etc/group", proc_groups, S_IFREG | 0444},
    {"/etc/services", proc_services, S_IFREG | 0444},
};

/* The rest of a path below this process's folder, "" for the folder, or null
 * if it leads elsewhere: there are two names for it. */
static const char *below_self(const char *path)
{
    char own[24];
    const char *names[] = {SELF, own};

    format_text(own, sizeof(own), "/proc/%d", process_id());
    for (u32 n = 0; n < COUNT(names); n++) {
        const char *rest = path + string_length(names[n]);

        if (string_starts(path, names[n]) && (!*rest || *rest == '/'))
            return rest;
    }
    return NULL;
}

static const struct entry *find(const char *path)
{
    const char *rest = below_self(path);
    u32 start = rest ? sizeof(SELF) - 1 : 0;

    for (u32 n = 0; n < COUNT(entries); n++)
        if (rest ? string_starts(entries[n].path, SELF) &&
                       string_equal(entries[n].path + start, rest)
                 : string_equal(entries[n].path, path))
            return &entries[n];
    return NULL;
}

static void fill_status(const struct entry *entry, struct status *status)
{
    *status = (struct status){
        .mode = entry->mode,
        .links = 1,
        .inode = (u64)(entry - entries) + 1,
        .size = entry->put == proc_image ? proc_image_size() : 0,
        .block_size = 1024,
    };
}

static s32 proc_read(struct file *file, void *buffer, u32 count, u64 offset)
{
    struct text text = {.to = buffer, .skip = (u32)offset, .room = count};

    if (offset <= 0xFFFFFFFFu)
        entries[file->fid].put(&text);
    return (s32)text.done;
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
    if (!entry->put)
        return -EACCES;
    if ((flags & O_ACCMODE) != O_RDONLY)
        return -EACCES;
    error = file_new(&proc_ops, flags, out);
    if (!error)
        (*out)->fid = (u32)(entry - entries);
    return error;
}

s32 proc_status(const char *path, struct status *status)
{
    const struct entry *entry = find(path);

    if (!entry)
        return -ENOENT;
    fill_status(entry, status);
    return 0;
}

/* /proc/self, and in it exe, cwd and the numbers of fd. */
s32 proc_link(const char *path, char *target, u32 size)
{
    const char *rest = below_self(path);
    s32 length = -ENOENT;

    if (string_equal(path, SELF))
        return (s32)format_text(target, size, "%d", process_id());
    if (rest && *rest == '/')
        length = proc_self_link(rest + 1, target, size);
    return length == -ENOENT && find(path) ? -EINVAL : length;
}
