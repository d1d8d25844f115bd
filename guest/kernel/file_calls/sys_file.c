/* System calls that open, close and control descriptors. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "devices/devices.h"
#include "files/files.h"
#include "inner/inner.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "open_files/file.h"
#include "process/process.h"
#include "process/thread.h"
#include "syscall/syscall.h"

#define NAME_MAX 249u /* of a file of memfd_create */
#define MFD_CLOEXEC 1u
#define MFD_NOEXEC_SEAL 8u
#define MFD_EXEC 16u

static u32 mask = 022; /* umask: what new files do not get */

u32 creation_mask(void)
{
    return mask;
}

static s32 open_path(s32 directory, u32 user_path, u32 flags, u32 mode)
{
    static char path[PATH_MAX];
    struct file *file;
    s32 error = vfs_path(directory, user_path, path);

    if (!error && !descriptor_available())
        error = -EMFILE; /* before a file is made */
    if (!error && vfs_named_directory()) {
        if (flags & O_CREAT)
            return -EISDIR;
        flags |= O_DIRECTORY;
    }
    if (!error)
        error = vfs_open(path, flags, mode & ~mask & 07777, &file);
    if (error)
        return error;
    return descriptor_new(file, 0, flags & O_CLOEXEC);
}

s32 sys_open(const u32 *args)
{
    return open_path(AT_FDCWD, args[0], args[1], args[2]);
}

s32 sys_creat(const u32 *args)
{
    return open_path(AT_FDCWD, args[0], O_CREAT | O_WRONLY | O_TRUNC, args[1]);
}

s32 sys_openat(const u32 *args)
{
    return open_path((s32)args[0], args[1], args[2], args[3]);
}

s32 sys_close(const u32 *args)
{
    return descriptor_close(args[0]);
}

s32 sys_umask(const u32 *args)
{
    u32 old = mask;

    mask = args[0] & 0777;
    return (s32)old;
}

static s32 duplicate(u32 descriptor, u32 lowest, bool close_on_exec)
{
    struct file *file = file_of(descriptor);

    if (!file)
        return -EBADF;
    file->references++;
    return descriptor_new(file, lowest, close_on_exec);
}

s32 sys_dup(const u32 *args)
{
    return duplicate(args[0], 0, false);
}

s32 sys_dup2(const u32 *args)
{
    struct file *file = file_of(args[0]);

    if (!file)
        return -EBADF;
    if (args[0] == args[1])
        return (s32)args[1];
    return descriptor_set(args[1], file, false);
}

s32 sys_dup3(const u32 *args)
{
    struct file *file = file_of(args[0]);

    if (!file)
        return -EBADF;
    if (args[0] == args[1] || args[2] & ~O_CLOEXEC)
        return -EINVAL;
    return descriptor_set(args[1], file, args[2] & O_CLOEXEC);
}

s32 sys_fcntl(const u32 *args)
{
    struct file *file = file_of(args[0]);
    u32 changeable = O_APPEND | O_NONBLOCK | O_ASYNC;

    if (!file)
        return -EBADF;
    switch (args[1]) {
    case F_DUPFD:
        return duplicate(args[0], args[2], false);
    case F_DUPFD_CLOEXEC:
        return duplicate(args[0], args[2], true);
    case F_GETFD:
        return descriptor_flag(args[0]) ? FD_CLOEXEC : 0;
    case F_SETFD:
        descriptor_set_flag(args[0], args[2] & FD_CLOEXEC);
        return 0;
    case F_GETFL:
        return (s32)file->flags;
    case F_SETFL:
        file->flags = (file->flags & ~changeable) | (args[2] & changeable);
        device_announce(file);
        return 0;
    case F_SETOWN: /* there is one process */
        return 0;
    case F_GETOWN:
        return 1;
    case F_GETLK:
    case F_GETLK64:
    case F_SETLK:
    case F_SETLKW:
    case F_SETLK64:
    case F_SETLKW64:
        return lock_control(file, args[1], args[2], process_id());
    }
    return -EINVAL;
}

s32 sys_ioctl(const u32 *args)
{
    struct file *file = file_of(args[0]);

    if (!file)
        return -EBADF;
    if (!file->ops->control)
        return -ENOTTY;
    return file->ops->control(file, args[1], args[2]);
}

static s32 make_pipe(u32 address, u32 flags)
{
    struct file *ends[2];
    s32 error;

    if (!user_writable(address, 2 * sizeof(s32)))
        return -EFAULT;
    error = pipe_new(ends, flags);
    return error ? error
                 : descriptor_new_pair(ends, flags & O_CLOEXEC, address);
}

s32 sys_pipe(const u32 *args)
{
    return make_pipe(args[0], 0);
}

s32 sys_pipe2(const u32 *args)
{
    return make_pipe(args[0], args[1]);
}

/* Seals and huge pages are not there. */
s32 sys_memfd_create(const u32 *args)
{
    static char name[NAME_MAX + 1];
    struct file *file;
    s32 error = copy_in_string(name, args[0], sizeof(name));

    if (error < 0)
        return error == -ENAMETOOLONG ? -EINVAL : error;
    if (args[1] & ~(MFD_CLOEXEC | MFD_NOEXEC_SEAL | MFD_EXEC))
        return -EINVAL;
    error = memory_file_new(name, 0, &file);
    return error ? error : descriptor_new(file, 0, args[1] & MFD_CLOEXEC);
}

s32 sys_fsync(const u32 *args)
{
    struct file *file = file_of(args[0]);

    if (!file)
        return -EBADF;
    return file->ops->sync ? file->ops->sync(file) : -EINVAL;
}

static s32 truncate_file(u32 descriptor, u64 size)
{
    struct file *file = file_of(descriptor);

    if (!file)
        return -EBADF;
    if (!file->ops->truncate || (file->flags & O_ACCMODE) == O_RDONLY)
        return -EINVAL;
    if ((s64)size < 0)
        return -EINVAL;
    return file->ops->truncate(file, size);
}

s32 sys_ftruncate(const u32 *args)
{
    return truncate_file(args[0], (u64)(s32)args[1]);
}

s32 sys_ftruncate64(const u32 *args)
{
    return truncate_file(args[0], (u64)args[2] << 32 | args[1]);
}

/* Only the plain form: reserve space by making the file that long. */
s32 sys_fallocate(const u32 *args)
{
    struct file *file = file_of(args[0]);
    u64 end = ((u64)args[3] << 32 | args[2]) + ((u64)args[5] << 32 | args[4]);
    struct status status;
    s32 error;

    if (!file)
        return -EBADF;
    if (args[1] != 0)
        return -EOPNOTSUPP;
    if ((s32)args[3] < 0 || (s32)args[5] < 0 || !(args[4] | args[5]))
        return -EINVAL;
    error = file->ops->status(file, &status);
    if (error || status.size >= end)
        return error;
    return truncate_file(args[0], end);
}

s32 sys_flock(const u32 *args)
{
    struct file *file = file_of(args[0]);

    return file ? lock_whole(file, args[1], process_id()) : -EBADF;
}

/* Ownership and the like: accepted for any open file. */
s32 sys_fd_accepted(const u32 *args)
{
    return file_of(args[0]) ? 0 : -EBADF;
}
