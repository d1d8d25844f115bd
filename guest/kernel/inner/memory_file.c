/* Files in memory, on this core alone. A file lives as long as it has a name,
 * is open or is mapped. A mapping that is shared shows the file's own memory.
 */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "drivers/drivers.h"
#include "inner/inner.h"
#include "inner/memory_file.h"
#include "lib/string.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "memory/region.h"
#include "open_files/file.h"

#define LARGEST 0x40000000u

/* A file has the number of its object. */
struct memory_file {
    bool used;
    u32 size, opened, names, mode;
};

static struct memory_file files[OBJECTS_MAX];

/* Takes away files that nobody can reach any more. */
void memory_files_collect(void)
{
    for (u32 n = 0; n < OBJECTS_MAX; n++) {
        struct memory_file *file = &files[n];

        if (!file->used || file->opened > 0 || file->names > 0 ||
            object_mapped(n))
            continue;
        object_free(n);
        file->used = false;
    }
}

static struct memory_file *of(const struct file *file)
{
    return &files[file->fid];
}

static u32 object_of(const struct memory_file *file)
{
    return (u32)(file - files);
}

static u8 *bytes_of(const struct memory_file *file)
{
    return object_address(object_of(file));
}

static void set_size(struct memory_file *file, u32 size)
{
    file->size = size;
    object_set_limit(object_of(file), size);
}

static s32 memory_read(struct file *open, void *buffer, u32 count, u64 offset)
{
    const struct memory_file *file = of(open);

    if (offset >= file->size)
        return 0;
    if (count > file->size - (u32)offset)
        count = file->size - (u32)offset;
    memcpy(buffer, bytes_of(file) + (u32)offset, count);
    return (s32)count;
}

/* Twice as much as there was: many small writes move the pages few times. */
static s32 make_room(const struct memory_file *file, u32 end)
{
    u32 object = object_of(file), room = object_room(object);
    s32 error = -ENOSPC;

    if (end <= room)
        return 0;
    if (end < 2 * room)
        error = object_grow(object, 2 * room);
    return error ? object_grow(object, end) : 0;
}

static s32 memory_write(struct file *open, const void *buffer, u32 count,
                        u64 offset)
{
    struct memory_file *file = of(open);
    s32 error;

    if (offset > LARGEST || count > LARGEST - (u32)offset)
        return -EFBIG;
    error = make_room(file, (u32)offset + count);
    if (error)
        return error;
    memcpy(bytes_of(file) + (u32)offset, buffer, count);
    if ((u32)offset + count > file->size)
        set_size(file, (u32)offset + count);
    return (s32)count;
}

s32 memory_truncate(struct file *open, u64 size)
{
    struct memory_file *file = of(open);
    s32 error;

    if (size > LARGEST)
        return -EFBIG;
    error = object_grow(object_of(file), (u32)size);
    if (error)
        return error;
    if (size < file->size)
        memset(bytes_of(file) + (u32)size, 0, file->size - (u32)size);
    set_size(file, (u32)size);
    return 0;
}

void memory_fill_status(u32 number, struct status *status)
{
    const struct memory_file *file = &files[number];

    *status = (struct status){
        .mode = S_IFREG | file->mode,
        .links = file->names,
        .inode = NODE_NUMBER + number,
        .size = file->size,
        .blocks = PAGE_UP(file->size) / 512,
        .block_size = PAGE_SIZE,
    };
}

static s32 memory_status(struct file *open, struct status *status)
{
    memory_fill_status(open->fid, status);
    return 0;
}

static s32 memory_set_mode(struct file *open, u32 mode)
{
    of(open)->mode = mode & 0777;
    return 0;
}

static s32 memory_sync(struct file *open)
{
    (void)open;
    return 0;
}

/* This program alone can have it open: nobody else's lock is in the way. */
static s32 memory_lock(struct file *open, const struct lock *lock)
{
    (void)open;
    (void)lock;
    return 0;
}

static s32 memory_find_lock(struct file *open, struct lock *lock)
{
    (void)open;
    lock->type = F_UNLCK;
    return 0;
}

static void memory_close(struct file *open)
{
    of(open)->opened--;
    memory_files_collect();
}

static const struct file_ops memory_ops = {
    .seekable = true,
    .read = memory_read,
    .write = memory_write,
    .status = memory_status,
    .truncate = memory_truncate,
    .set_mode = memory_set_mode,
    .sync = memory_sync,
    .lock = memory_lock,
    .find_lock = memory_find_lock,
    .close = memory_close,
};

/* The object behind an open file, if it is one in memory. */
bool memory_file_object(const struct file *file, u32 *object)
{
    if (file->ops != &memory_ops)
        return false;
    *object = file->fid;
    return true;
}

void memory_set_number_mode(u32 number, u32 mode)
{
    files[number].mode = mode & 0777;
}

/* So many names more, or fewer. */
void memory_named(u32 number, s32 more)
{
    files[number].names += (u32)more;
    memory_files_collect();
}

s32 memory_make(u32 mode, u32 *number)
{
    s32 error = object_new(number);

    if (!error)
        files[*number] =
            (struct memory_file){.used = true, .mode = mode & 0777};
    return error;
}

s32 memory_open_number(u32 number, u32 flags, struct file **out)
{
    s32 error = file_new(&memory_ops, flags, out);

    if (error)
        return error;
    (*out)->fid = number;
    files[number].opened++;
    return 0;
}

/* memfd_create: the name is only for people. */
s32 memory_file_new(const char *name, u32 flags, struct file **out)
{
    u32 number;
    s32 error = memory_make(0777, &number);

    if (!error)
        error = memory_open_number(number, flags | O_RDWR, out);
    if (error) {
        memory_files_collect();
        return error;
    }
    format_text((*out)->path, PATH_MAX, "/memfd:%s", name);
    return 0;
}
