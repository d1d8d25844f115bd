/* Open files and directories of the shared folder. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "files/p9.h"
#include "files/share.h"
#include "lib/string.h"
#include "lib/types.h"
#include "open_files/file.h"

static s32 share_file_read(struct file *file, void *buffer, u32 count,
                           u64 offset)
{
    u32 done = 0;

    while (done < count) {
        u32 part = count - done < p9_data_max ? count - done : p9_data_max;
        u32 got;
        s32 error;

        p9_start(T_READ);
        p9_put_32(file->fid);
        p9_put_64(offset + done);
        p9_put_32(part);
        error = p9_call();
        if (error)
            return done > 0 ? (s32)done : error;
        got = p9_get_32();
        if (got == 0 || got > part)
            break;
        memcpy((u8 *)buffer + done, p9_get_bytes(got), got);
        done += got;
        if (got < part)
            break;
    }
    return (s32)done;
}

static s32 share_file_write(struct file *file, const void *buffer, u32 count,
                            u64 offset)
{
    u32 done = 0;

    while (done < count) {
        u32 part = count - done < p9_data_max ? count - done : p9_data_max;
        u32 taken;
        s32 error;

        p9_start(T_WRITE);
        p9_put_32(file->fid);
        p9_put_64(offset + done);
        p9_put_32(part);
        p9_put_bytes((const u8 *)buffer + done, part);
        error = p9_call();
        if (error)
            return done > 0 ? (s32)done : error;
        taken = p9_get_32();
        if (taken == 0 || taken > part)
            break;
        done += taken;
    }
    return (s32)done;
}

static s32 share_file_status(struct file *file, struct status *status)
{
    return share_attributes(file->fid, status);
}

static s32 share_file_truncate(struct file *file, u64 size)
{
    return share_set(file->fid, P9_SETATTR_SIZE, 0, size);
}

static s32 share_file_set_mode(struct file *file, u32 mode)
{
    return share_set(file->fid, P9_SETATTR_MODE, mode, 0);
}

static s32 share_file_sync(struct file *file)
{
    p9_start(T_FSYNC);
    p9_put_32(file->fid);
    p9_put_32(0);
    return p9_call();
}

/* The directory from that offset on; stops when the sink is full. */
static s32 share_file_entries(struct file *file, u64 offset, entry_sink put,
                              void *sink)
{
    s32 error;
    u32 count;

    p9_start(T_READDIR);
    p9_put_32(file->fid);
    p9_put_64(offset);
    p9_put_32(p9_data_max < 8192 ? p9_data_max : 8192);
    error = p9_call();
    if (error)
        return error;
    count = p9_get_32();
    while (count > 0 && p9_left() > 0) {
        struct qid qid;
        u64 next;
        u32 length;
        u8 type;

        p9_get_qid(&qid);
        next = p9_get_64();
        type = (u8)p9_get_8();
        length = p9_get_16();
        if (!put(sink, qid.path, next, type, (const char *)p9_get_bytes(length),
                 length))
            break;
    }
    return 0;
}

static void put_lock(struct file *file, u8 message, const struct lock *lock)
{
    p9_start(message);
    p9_put_32(file->fid);
    p9_put_8((u32)lock->type);
    if (message == T_LOCK)
        p9_put_32(0); /* who waits asks again */
    p9_put_64(lock->start);
    p9_put_64(lock->length);
    p9_put_32((u32)lock->process);
    p9_put_string(""); /* the server knows which core it is */
}

static s32 share_file_lock(struct file *file, const struct lock *lock)
{
    s32 error;

    put_lock(file, T_LOCK, lock);
    error = p9_call();
    if (error)
        return error;
    return p9_get_8() == P9_LOCK_GRANTED ? 0 : -EAGAIN;
}

static s32 share_file_find_lock(struct file *file, struct lock *lock)
{
    s32 error;

    put_lock(file, T_GETLOCK, lock);
    error = p9_call();
    if (error)
        return error;
    lock->type = (s16)p9_get_8();
    lock->start = p9_get_64();
    lock->length = p9_get_64();
    lock->process = (s32)p9_get_32();
    return 0;
}

static u32 share_file_ready(struct file *file)
{
    (void)file;
    return POLLIN | POLLOUT;
}

static void share_file_close(struct file *file)
{
    share_clunk(file->fid);
}

static const struct file_ops share_ops = {
    .seekable = true,
    .read = share_file_read,
    .write = share_file_write,
    .status = share_file_status,
    .truncate = share_file_truncate,
    .set_mode = share_file_set_mode,
    .entries = share_file_entries,
    .sync = share_file_sync,
    .lock = share_file_lock,
    .find_lock = share_file_find_lock,
    .ready = share_file_ready,
    .close = share_file_close,
};

/* What the server needs to know of the flags; O_CREAT is done here. */
static u32 server_flags(u32 flags)
{
    return flags & (O_ACCMODE | O_TRUNC | O_APPEND | O_DIRECTORY);
}

static s32 open_existing(char *path, u32 flags, u32 *fid)
{
    struct qid qid;
    s32 error = share_walk_links(path, !(flags & O_NOFOLLOW), fid, &qid);

    if (error)
        return error;
    if (qid.type & P9_QID_SYMLINK)
        error = -ELOOP;
    else if ((flags & O_DIRECTORY) && !(qid.type & P9_QID_DIRECTORY))
        error = -ENOTDIR;
    else if ((qid.type & P9_QID_DIRECTORY) &&
             ((flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT)))
        error = -EISDIR;
    else if (share_fixed(*fid) &&
             ((flags & O_ACCMODE) != O_RDONLY || (flags & O_TRUNC)))
        error = -EROFS;
    if (!error) {
        p9_start(T_LOPEN);
        p9_put_32(*fid);
        p9_put_32(server_flags(flags));
        error = p9_call();
    }
    if (error)
        share_clunk(*fid);
    return error;
}

static s32 create(const char *path, u32 flags, u32 mode, u32 *fid)
{
    const char *name;
    s32 error = share_walk_parent(path, fid, &name);

    if (error)
        return error;
    p9_start(T_LCREATE);
    p9_put_32(*fid);
    p9_put_string(name);
    p9_put_32(server_flags(flags) | O_CREAT | (flags & O_EXCL));
    p9_put_32(mode);
    p9_put_32(0); /* group */
    error = p9_call();
    if (error)
        share_clunk(*fid);
    return error;
}

s32 share_open(const char *path, u32 flags, u32 mode, struct file **out)
{
    static char led[PATH_MAX]; /* where links of the path lead */
    u32 exclusive = O_CREAT | O_EXCL;
    u32 fid;
    s32 error = -ENOENT;

    string_copy(led, path, PATH_MAX);
    if ((flags & exclusive) != exclusive)
        error = open_existing(led, flags, &fid);
    if (error == -ENOENT && (flags & O_CREAT))
        error = create(led, flags, mode, &fid);
    if (error)
        return error;
    error = file_new(&share_ops, flags, out);
    if (error) {
        share_clunk(fid);
        return error;
    }
    (*out)->fid = fid;
    string_copy((*out)->path, path, PATH_MAX);
    return 0;
}
