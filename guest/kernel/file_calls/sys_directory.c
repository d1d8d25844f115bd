/* Reading directories: getdents in its two layouts. */
#include "abi/abi.h"
#include "lib/string.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "open_files/file.h"
#include "syscall/syscall.h"

struct listing {
    struct file *file;
    u32 buffer, size;
    u32 used;
    bool wide; /* getdents64 */
};

struct entry32 {
    u32 inode, next_offset;
    u16 length;
    char name[]; /* its type is the entry's last byte */
};

struct entry64 {
    u64 inode, next_offset;
    u16 length;
    u8 type;
    char name[];
} __attribute__((packed));

/* Entries are written straight into the program's buffer, which has been
 * checked. */
static bool put_entry(void *sink, u64 inode, u64 next_offset, u8 type,
                      const char *name, u32 length)
{
    struct listing *list = sink;
    u32 header = list->wide ? offsetof(struct entry64, name)
                            : offsetof(struct entry32, name);
    u32 tail = list->wide ? 1 : 2; /* the zero; the old form's type */
    u32 total = (header + length + tail + 7) & ~7u;
    u32 address = list->buffer + list->used;

    if (list->used + total > list->size)
        return false;
    memset((void *)address, 0, total);
    if (list->wide) {
        struct entry64 *out = (struct entry64 *)address;

        out->inode = inode;
        out->next_offset = next_offset;
        out->length = (u16)total;
        out->type = type;
    } else {
        struct entry32 *out = (struct entry32 *)address;

        out->inode = (u32)inode;
        out->next_offset = (u32)next_offset;
        out->length = (u16)total;
        *(u8 *)(address + total - 1) = type;
    }
    memcpy((void *)(address + header), name, length);
    list->used += total;
    list->file->offset = next_offset;
    return true;
}

static s32 list_directory(const u32 *args, bool wide)
{
    struct listing list = {.file = file_of(args[0]),
                           .buffer = args[1],
                           .size = args[2],
                           .wide = wide};
    u64 start;
    s32 error;

    if (!list.file)
        return -EBADF;
    if (!list.file->ops->entries)
        return -ENOTDIR;
    if (!user_writable(list.buffer, list.size))
        return -EFAULT;
    start = list.file->offset;
    error = list.file->ops->entries(list.file, start, put_entry, &list);
    if (error)
        return error;
    return (s32)list.used;
}

s32 sys_getdents(const u32 *args)
{
    return list_directory(args, false);
}

s32 sys_getdents64(const u32 *args)
{
    return list_directory(args, true);
}
