/* System calls that move bytes from one file to another. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "open_files/file.h"
#include "syscall/syscall.h"

/* Of one descriptor: its file, and where it is read or written. */
struct place {
    struct file *file;
    u64 offset;
    u32 address; /* of the program's offset, or 0: the file's own */
    u32 size;    /* of that offset */
};

static s32 find(struct place *place, u32 descriptor, u32 address, u32 size,
                u32 refused)
{
    place->file = file_of(descriptor);
    place->address = address;
    place->size = size;
    if (!place->file || (place->file->flags & O_ACCMODE) == refused)
        return -EBADF;
    place->offset = address ? 0 : place->file->offset;
    if (address && !place->file->ops->seekable)
        return -ESPIPE;
    return address && copy_in(&place->offset, address, size) ? -EFAULT : 0;
}

static s32 keep(struct place *place)
{
    if (place->address)
        return copy_out(place->address, &place->offset, place->size) ? -EFAULT
                                                                     : 0;
    if (place->file->ops->seekable)
        place->file->offset = place->offset;
    return 0;
}

/* One piece: how many bytes were written, 0 at the end of the file. While the
 * write waits for room, another thread may move bytes, too. */
static s32 move_piece(struct place *from, struct place *to, u32 count)
{
    u8 between[PAGE_SIZE];
    s32 there, written;

    if (count > sizeof(between))
        count = sizeof(between);
    there = from->file->ops->read(from->file, between, count, from->offset);
    if (there <= 0)
        return there;
    written = to->file->ops->write(to->file, between, (u32)there, to->offset);
    if (written > 0) {
        from->offset += (u32)written;
        to->offset += (u32)written;
    }
    return written;
}

static s32 move(struct place *from, struct place *to, u32 count)
{
    s32 done = 0, part = 1, error;

    if (!from->file->ops->read || !from->file->ops->seekable ||
        !to->file->ops->write)
        return -EINVAL;
    from->file->references++;
    to->file->references++;
    while (part > 0 && (u32)done < count) {
        part = move_piece(from, to, count - (u32)done);
        done += part > 0 ? part : 0;
    }
    error = keep(from);
    if (!error)
        error = keep(to);
    file_let_go(to->file, 0);
    file_let_go(from->file, 0);
    if (error)
        return error;
    return done > 0 || count == 0 ? done : part;
}

static s32 send(const u32 *args, u32 size)
{
    struct place from, to;
    s32 error = find(&from, args[1], args[2], size, O_WRONLY);

    if (!error)
        error = find(&to, args[0], 0, 0, O_RDONLY);
    if (!error && to.file->flags & O_APPEND)
        error = -EINVAL; /* as on Linux: programs write the bytes themselves */
    return error ? error : move(&from, &to, args[3]);
}

s32 sys_sendfile(const u32 *args)
{
    return send(args, sizeof(u32));
}

s32 sys_sendfile64(const u32 *args)
{
    return send(args, sizeof(u64));
}

s32 sys_copy_file_range(const u32 *args)
{
    struct place from, to;
    s32 error = find(&from, args[0], args[1], sizeof(u64), O_WRONLY);

    if (!error)
        error = find(&to, args[2], args[3], sizeof(u64), O_RDONLY);
    if (error)
        return error;
    if (args[5] || !to.file->ops->seekable || to.file->flags & O_APPEND)
        return to.file->flags & O_APPEND ? -EBADF : -EINVAL;
    return move(&from, &to, args[4]);
}
