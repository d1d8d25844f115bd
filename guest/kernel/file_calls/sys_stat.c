/* System calls that describe files: the stat family, statfs, directories.
 */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "files/files.h"
#include "files/share.h"
#include "lib/options.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "open_files/file.h"
#include "syscall/syscall.h"

#define DEVICE_NUMBER 1u
#define FILE_SYSTEM_TYPE 0x01021997u /* 9P */
#define NAME_MAX 255u

static s32 put_stat32(u32 address, const struct status *s)
{
    struct stat32 out = {
        .device = DEVICE_NUMBER,
        .inode = (u32)s->inode,
        .mode = (u16)s->mode,
        .links = (u16)s->links,
        .rdevice = s->rdevice,
        .size = (u32)s->size,
        .block_size = s->block_size,
        .blocks = (u32)s->blocks,
        .atime = (u32)s->atime,
        .mtime = (u32)s->mtime,
        .ctime = (u32)s->ctime,
    };

    return copy_out(address, &out, sizeof(out));
}

static s32 put_stat64(u32 address, const struct status *s)
{
    struct stat64 out = {
        .device = DEVICE_NUMBER,
        .inode_low = (u32)s->inode,
        .mode = s->mode,
        .links = s->links,
        .rdevice = s->rdevice,
        .size_low = (u32)s->size,
        .size_high = (u32)(s->size >> 32),
        .block_size = s->block_size,
        .blocks = s->blocks,
        .atime = (u32)s->atime,
        .mtime = (u32)s->mtime,
        .ctime = (u32)s->ctime,
        .inode = s->inode,
    };

    return copy_out(address, &out, sizeof(out));
}

static s32 put_statx(u32 address, const struct status *s)
{
    struct statx out = {
        .mask = STATX_BASIC,
        .block_size = s->block_size,
        .links = s->links,
        .mode = (u16)s->mode,
        .inode = s->inode,
        .size = s->size,
        .blocks = s->blocks,
        .atime = {.seconds = (s64)s->atime},
        .ctime = {.seconds = (s64)s->ctime},
        .mtime = {.seconds = (s64)s->mtime},
        .rdevice_major = s->rdevice >> 8,
        .rdevice_minor = s->rdevice & 0xFF,
        .device_minor = DEVICE_NUMBER,
    };

    return copy_out(address, &out, sizeof(out));
}

typedef s32 (*put_status)(u32 address, const struct status *status);

static s32 stat_file(u32 descriptor, u32 address, put_status put)
{
    struct file *file = file_of(descriptor);
    struct status status;
    s32 error;

    if (!file)
        return -EBADF;
    error = file->ops->status(file, &status);
    return error ? error : put(address, &status);
}

static s32 stat_path(s32 directory, u32 user_path, bool follow, u32 address,
                     put_status put)
{
    static char path[PATH_MAX];
    struct status status;
    s32 error = vfs_path(directory, user_path, path);
    bool named = vfs_named_directory();

    if (!error)
        error = vfs_status(path, follow || named, &status);
    if (!error && named && (status.mode & S_IFMT) != S_IFDIR)
        error = -ENOTDIR;
    return error ? error : put(address, &status);
}

static s32 stat_at(s32 directory, u32 user_path, u32 flags, u32 address,
                   put_status put)
{
    char first;

    if (flags & AT_EMPTY_PATH) {
        if (copy_in(&first, user_path, 1))
            return -EFAULT;
        if (!first)
            return stat_file((u32)directory, address, put);
    }
    return stat_path(directory, user_path, !(flags & AT_SYMLINK_NOFOLLOW),
                     address, put);
}

s32 sys_stat(const u32 *args)
{
    return stat_path(AT_FDCWD, args[0], true, args[1], put_stat32);
}

s32 sys_lstat(const u32 *args)
{
    return stat_path(AT_FDCWD, args[0], false, args[1], put_stat32);
}

s32 sys_fstat(const u32 *args)
{
    return stat_file(args[0], args[1], put_stat32);
}

s32 sys_stat64(const u32 *args)
{
    return stat_path(AT_FDCWD, args[0], true, args[1], put_stat64);
}

s32 sys_lstat64(const u32 *args)
{
    return stat_path(AT_FDCWD, args[0], false, args[1], put_stat64);
}

s32 sys_fstat64(const u32 *args)
{
    return stat_file(args[0], args[1], put_stat64);
}

s32 sys_fstatat64(const u32 *args)
{
    return stat_at((s32)args[0], args[1], args[3], args[2], put_stat64);
}

s32 sys_statx(const u32 *args)
{
    return stat_at((s32)args[0], args[1], args[2], args[4], put_statx);
}

static s32 put_space32(u32 address, const struct space *space)
{
    struct statfs32 out = {
        .type = FILE_SYSTEM_TYPE,
        .block_size = space->block_size,
        .blocks = (u32)space->blocks,
        .blocks_free = (u32)space->free,
        .blocks_available = (u32)space->free,
        .files = (u32)space->files,
        .files_free = (u32)space->files_free,
        .name_length = NAME_MAX,
        .fragment_size = space->block_size,
    };

    return copy_out(address, &out, sizeof(out));
}

static s32 put_space64(u32 address, const struct space *space)
{
    struct statfs64 out = {
        .type = FILE_SYSTEM_TYPE,
        .block_size = space->block_size,
        .blocks = space->blocks,
        .blocks_free = space->free,
        .blocks_available = space->free,
        .files = space->files,
        .files_free = space->files_free,
        .name_length = NAME_MAX,
        .fragment_size = space->block_size,
    };

    return copy_out(address, &out, sizeof(out));
}

typedef s32 (*put_space)(u32 address, const struct space *space);

/* There is one file system; the path or descriptor only has to be valid. */
static s32 space_of_path(u32 user_path, u32 address, put_space put)
{
    static char path[PATH_MAX];
    struct space space = {.block_size = PAGE_SIZE};
    struct status status;
    s32 error = vfs_path(AT_FDCWD, user_path, path);

    if (!error)
        error = vfs_status(path, true, &status);
    if (!error && options.share)
        error = share_space(&space);
    return error ? error : put(address, &space);
}

static s32 space_of_file(u32 descriptor, u32 address, put_space put)
{
    struct space space = {.block_size = PAGE_SIZE};
    s32 error = file_of(descriptor) ? 0 : -EBADF;

    if (!error && options.share)
        error = share_space(&space);
    return error ? error : put(address, &space);
}

s32 sys_statfs(const u32 *args)
{
    return space_of_path(args[0], args[1], put_space32);
}

s32 sys_fstatfs(const u32 *args)
{
    return space_of_file(args[0], args[1], put_space32);
}

s32 sys_statfs64(const u32 *args)
{
    return args[1] == sizeof(struct statfs64)
               ? space_of_path(args[0], args[2], put_space64)
               : -EINVAL;
}

s32 sys_fstatfs64(const u32 *args)
{
    return args[1] == sizeof(struct statfs64)
               ? space_of_file(args[0], args[2], put_space64)
               : -EINVAL;
}
