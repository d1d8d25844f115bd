/* System calls that move bytes through descriptors. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "inner/inner.h"
#include "lib/random.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "open_files/file.h"
#include "syscall/syscall.h"

#define IOVECS_MAX 1024u
#define SEEK_CUR 1u
#define SEEK_END 2u

static s32 size_of(struct file *file, u64 *size)
{
    struct status status;
    s32 error = file->ops->status(file, &status);

    *size = status.size;
    return error;
}

static s32 read_at(struct file *file, u32 buffer, u32 count, u64 offset)
{
    s32 result;

    if ((s64)offset < 0 && file->ops->seekable)
        return -EINVAL;
    if ((file->flags & O_ACCMODE) == O_WRONLY)
        return -EBADF;
    if (!file->ops->read)
        return -EINVAL;
    result = user_part(buffer, &count, true);
    if (result)
        return result;
    return file->ops->read(file, (void *)buffer, count, offset);
}

static s32 write_at(struct file *file, u32 buffer, u32 count, u64 offset)
{
    s32 result;

    if ((s64)offset < 0 && file->ops->seekable)
        return -EINVAL;
    if ((file->flags & O_ACCMODE) == O_RDONLY)
        return -EBADF;
    if (!file->ops->write)
        return -EINVAL;
    result = user_part(buffer, &count, false);
    if (result)
        return result;
    return file->ops->write(file, (const void *)buffer, count, offset);
}

static s32 read_next(struct file *file, u32 buffer, u32 count)
{
    s32 result = read_at(file, buffer, count, file->offset);

    if (result > 0 && file->ops->seekable)
        file->offset += (u32)result;
    return result;
}

static s32 write_next(struct file *file, u32 buffer, u32 count)
{
    s32 result;

    if (file->flags & O_APPEND && file->ops->seekable) {
        result = size_of(file, &file->offset);
        if (result)
            return result;
    }
    result = write_at(file, buffer, count, file->offset);
    if (result > 0 && file->ops->seekable)
        file->offset += (u32)result;
    return result;
}

s32 sys_read(const u32 *args)
{
    struct file *file = file_hold(args[0]);

    return file ? file_let_go(file, read_next(file, args[1], args[2])) : -EBADF;
}

s32 sys_write(const u32 *args)
{
    struct file *file = file_hold(args[0]);

    return file ? file_let_go(file, write_next(file, args[1], args[2]))
                : -EBADF;
}

static u64 wide(u32 low, u32 high)
{
    return (u64)high << 32 | low;
}

static struct file *seekable_file(u32 descriptor, s32 *error)
{
    struct file *file = file_of(descriptor);

    *error = file ? -ESPIPE : -EBADF;
    return file && file->ops->seekable ? file : NULL;
}

s32 sys_pread64(const u32 *args)
{
    s32 error;
    struct file *file = seekable_file(args[0], &error);

    if (!file)
        return error;
    return read_at(file, args[1], args[2], wide(args[3], args[4]));
}

s32 sys_pwrite64(const u32 *args)
{
    s32 error;
    struct file *file = seekable_file(args[0], &error);

    if (!file)
        return error;
    return write_at(file, args[1], args[2], wide(args[3], args[4]));
}

/* What is there is enough: one more read would wait. */
static bool nothing_more(struct file *file)
{
    return file->ops->ready && !(file->ops->ready(file) & POLLIN);
}

/* The pieces of readv and its relatives, one after the other; a piece that
 * comes back short is the last. offset: null for the file's own. */
static s32 each_piece(struct file *file, u32 vector, u32 count,
                      const u64 *offset, s32 (*next)(struct file *, u32, u32),
                      s32 (*at)(struct file *, u32, u32, u64))
{
    s32 done = 0;

    if (count > IOVECS_MAX)
        return -EINVAL;
    for (u32 n = 0; n < count; n++) {
        struct iovec piece;
        s32 result = copy_in(&piece, vector + n * sizeof(piece), sizeof(piece));

        if (done > 0 && at == read_at && nothing_more(file))
            break;
        if (!result && piece.length > 0)
            result =
                offset ? at(file, piece.base, piece.length, *offset + (u32)done)
                       : next(file, piece.base, piece.length);
        if (result < 0)
            return done > 0 ? done : result;
        done += result;
        if ((u32)result < piece.length)
            break;
    }
    return done;
}

s32 sys_readv(const u32 *args)
{
    struct file *file = file_hold(args[0]);

    if (!file)
        return -EBADF;
    return file_let_go(file, pair_has_messages(file)
                                 ? message_readv(file, args[1], args[2])
                                 : each_piece(file, args[1], args[2], NULL,
                                              read_next, read_at));
}

s32 sys_writev(const u32 *args)
{
    struct file *file = file_hold(args[0]);

    if (!file)
        return -EBADF;
    return file_let_go(file, pair_has_messages(file)
                                 ? message_writev(file, args[1], args[2])
                                 : each_piece(file, args[1], args[2], NULL,
                                              write_next, write_at));
}

s32 sys_preadv(const u32 *args)
{
    u64 offset = wide(args[3], args[4]);
    s32 error;
    struct file *file = seekable_file(args[0], &error);

    if (!file)
        return error;
    return each_piece(file, args[1], args[2], &offset, read_next, read_at);
}

s32 sys_pwritev(const u32 *args)
{
    u64 offset = wide(args[3], args[4]);
    s32 error;
    struct file *file = seekable_file(args[0], &error);

    if (!file)
        return error;
    return each_piece(file, args[1], args[2], &offset, write_next, write_at);
}

static s32 seek(u32 descriptor, s64 distance, u32 origin, u64 *position)
{
    s32 error;
    struct file *file = seekable_file(descriptor, &error);
    u64 base = 0;

    if (!file)
        return error;
    if (origin == SEEK_CUR) {
        base = file->offset;
    } else if (origin == SEEK_END) {
        error = size_of(file, &base);
        if (error)
            return error;
    } else if (origin != 0) {
        return -EINVAL;
    }
    if ((s64)base + distance < 0)
        return -EINVAL;
    file->offset = *position = base + (u64)distance;
    return 0;
}

s32 sys_lseek(const u32 *args)
{
    u64 position;
    s32 error = seek(args[0], (s32)args[1], args[2], &position);

    return error ? error : (s32)position;
}

s32 sys_llseek(const u32 *args)
{
    u64 position;
    s32 error = seek(args[0], (s64)wide(args[2], args[1]), args[4], &position);

    return error ? error : copy_out(args[3], &position, sizeof(position));
}

s32 sys_getrandom(const u32 *args)
{
    if (!user_writable(args[0], args[1]))
        return -EFAULT;
    random_bytes((void *)args[0], args[1]);
    return (s32)args[1];
}
