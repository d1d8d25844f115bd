/* System calls that take names of files. Setting owners and times is accepted
 * for files that exist, and changes nothing. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "devices/devices.h"
#include "files/files.h"
#include "files/p9.h"
#include "files/share.h"
#include "inner/inner.h"
#include "lib/options.h"
#include "lib/string.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "open_files/file.h"
#include "syscall/syscall.h"

static char path_a[PATH_MAX];
static char path_b[PATH_MAX];

/* The path of a name that is to be changed: only the share can be. */
static s32 changeable(s32 directory, u32 user_path, char *path)
{
    s32 error = vfs_path(directory, user_path, path);

    if (error)
        return error;
    if (!vfs_shared(path))
        return -EPERM;
    return options.share ? 0 : -ENOENT;
}

/* Below /dev/shm or /tmp; not if it is no path. */
static bool in_memory(s32 directory, u32 user_path, char *path)
{
    return !vfs_path(directory, user_path, path) && vfs_in_memory(path);
}

static s32 make_directory(s32 directory, u32 user_path, u32 mode)
{
    if (in_memory(directory, user_path, path_a))
        return memory_folder_new(path_a);

    s32 error = changeable(directory, user_path, path_a);

    mode &= ~creation_mask() & 01777;
    return error ? error : share_make_directory(path_a, mode);
}

s32 sys_mkdir(const u32 *args)
{
    return make_directory(AT_FDCWD, args[0], args[1]);
}

s32 sys_mkdirat(const u32 *args)
{
    return make_directory((s32)args[0], args[1], args[2]);
}

static s32 unlink_path(s32 directory, u32 user_path, bool is_directory)
{
    if (in_memory(directory, user_path, path_a))
        return is_directory ? memory_folder_remove(path_a)
                            : memory_file_unlink(path_a);

    s32 error = changeable(directory, user_path, path_a);

    return error ? error : share_unlink(path_a, is_directory);
}

s32 sys_unlink(const u32 *args)
{
    return unlink_path(AT_FDCWD, args[0], false);
}

s32 sys_rmdir(const u32 *args)
{
    return unlink_path(AT_FDCWD, args[0], true);
}

s32 sys_unlinkat(const u32 *args)
{
    return unlink_path((s32)args[0], args[1], args[2] & AT_REMOVEDIR);
}

typedef s32 (*two_names)(const char *from, const char *to);

static s32 two_paths(s32 from_directory, u32 from, s32 to_directory, u32 to,
                     two_names in_share, two_names inside)
{
    bool from_memory = in_memory(from_directory, from, path_a);
    bool to_memory = in_memory(to_directory, to, path_b);
    s32 error;

    if (from_memory || to_memory)
        return from_memory && to_memory ? inside(path_a, path_b) : -EXDEV;
    error = changeable(from_directory, from, path_a);
    if (!error)
        error = changeable(to_directory, to, path_b);
    return error ? error : in_share(path_a, path_b);
}

s32 sys_rename(const u32 *args)
{
    return two_paths(AT_FDCWD, args[0], AT_FDCWD, args[1], share_rename,
                     memory_file_rename);
}

s32 sys_renameat(const u32 *args)
{
    return two_paths((s32)args[0], args[1], (s32)args[2], args[3], share_rename,
                     memory_file_rename);
}

s32 sys_renameat2(const u32 *args)
{
    return args[4] ? -EINVAL : sys_renameat(args);
}

s32 sys_link(const u32 *args)
{
    return two_paths(AT_FDCWD, args[0], AT_FDCWD, args[1], share_link,
                     memory_file_link);
}

s32 sys_linkat(const u32 *args)
{
    return two_paths((s32)args[0], args[1], (s32)args[2], args[3], share_link,
                     memory_file_link);
}

static s32 make_symlink(u32 target, s32 directory, u32 user_path)
{
    bool memory = in_memory(directory, user_path, path_a);
    s32 error = memory ? 0 : changeable(directory, user_path, path_a);
    s32 length;

    if (error)
        return error;
    length = copy_in_string(path_b, target, PATH_MAX);
    if (length < 0)
        return length;
    return memory ? memory_link_new(path_b, path_a)
                  : share_symlink(path_b, path_a);
}

s32 sys_symlink(const u32 *args)
{
    return make_symlink(args[0], AT_FDCWD, args[1]);
}

s32 sys_symlinkat(const u32 *args)
{
    return make_symlink(args[0], (s32)args[1], args[2]);
}

static s32 read_link(s32 directory, u32 user_path, u32 buffer, u32 size)
{
    struct status status;
    s32 length = vfs_path(directory, user_path, path_a);

    if (length)
        return length;
    if (proc_path(path_a))
        length = proc_link(path_a, path_b, PATH_MAX);
    else if (memory_link_target(path_a))
        length = (s32)string_copy(path_b, memory_link_target(path_a), PATH_MAX);
    else if (device_path(path_a) || vfs_in_memory(path_a))
        length = vfs_status(path_a, false, &status) ? -ENOENT : -EINVAL;
    else
        length = share_readlink(path_a, path_b, PATH_MAX);
    if (length < 0)
        return length;
    if ((u32)length > size)
        length = (s32)size;
    return copy_out(buffer, path_b, (u32)length) ? -EFAULT : length;
}

s32 sys_readlink(const u32 *args)
{
    return read_link(AT_FDCWD, args[0], args[1], args[2]);
}

s32 sys_readlinkat(const u32 *args)
{
    return read_link((s32)args[0], args[1], args[2], args[3]);
}

static s32 change(s32 directory, u32 user_path, u32 valid, u32 mode, u64 size)
{
    if (in_memory(directory, user_path, path_a) && !vfs_follow(path_a, true) &&
        vfs_in_memory(path_a))
        return valid == P9_SETATTR_SIZE ? memory_file_size(path_a, size)
                                        : memory_file_mode(path_a, mode);

    s32 error = changeable(directory, user_path, path_a);

    return error ? error : share_change(path_a, valid, mode, size);
}

s32 sys_chmod(const u32 *args)
{
    return change(AT_FDCWD, args[0], P9_SETATTR_MODE, args[1] & 07777, 0);
}

s32 sys_fchmodat(const u32 *args)
{
    return change((s32)args[0], args[1], P9_SETATTR_MODE, args[2] & 07777, 0);
}

s32 sys_fchmod(const u32 *args)
{
    struct file *file = file_of(args[0]);

    if (!file)
        return -EBADF;
    if (!file->ops->set_mode)
        return 0; /* the console, a device */
    return file->ops->set_mode(file, args[1] & 07777);
}

s32 sys_truncate(const u32 *args)
{
    return change(AT_FDCWD, args[0], P9_SETATTR_SIZE, 0, args[1]);
}

s32 sys_truncate64(const u32 *args)
{
    return change(AT_FDCWD, args[0], P9_SETATTR_SIZE, 0,
                  (u64)args[2] << 32 | args[1]);
}

static s32 must_exist(s32 directory, u32 user_path, struct status *status)
{
    s32 error = vfs_path(directory, user_path, path_a);

    return error ? error : vfs_status(path_a, true, status);
}

s32 sys_chown(const u32 *args)
{
    struct status status;

    return must_exist(AT_FDCWD, args[0], &status);
}

s32 sys_fchownat(const u32 *args)
{
    struct status status;

    return must_exist((s32)args[0], args[1], &status);
}

s32 sys_utime(const u32 *args)
{
    return sys_chown(args);
}

s32 sys_utimensat(const u32 *args)
{
    struct status status;

    if (args[1] == 0) /* futimens */
        return file_of(args[0]) ? 0 : -EBADF;
    return must_exist((s32)args[0], args[1], &status);
}

#define ACCESS_EXECUTE 1u

/* As root all may be read and written; to execute needs an execute bit. */
static s32 check_access(s32 directory, u32 user_path, u32 wanted)
{
    struct status status;
    s32 error = must_exist(directory, user_path, &status);

    if (error)
        return error;
    if ((wanted & ACCESS_EXECUTE) && !(status.mode & 0111))
        return -EACCES;
    return 0;
}

s32 sys_access(const u32 *args)
{
    return check_access(AT_FDCWD, args[0], args[1]);
}

s32 sys_faccessat(const u32 *args)
{
    return check_access((s32)args[0], args[1], args[2]);
}
