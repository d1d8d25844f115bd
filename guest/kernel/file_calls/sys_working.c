/* System calls about the working directory. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "files/files.h"
#include "lib/string.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "open_files/file.h"
#include "syscall/syscall.h"

static char path[PATH_MAX];

s32 sys_chdir(const u32 *args)
{
    s32 error = vfs_path(AT_FDCWD, args[0], path);

    return error ? error : vfs_change_directory(path);
}

s32 sys_fchdir(const u32 *args)
{
    struct file *file = file_of(args[0]);

    if (!file)
        return -EBADF;
    return file->path[0] ? vfs_change_directory(file->path) : -ENOTDIR;
}

s32 sys_getcwd(const u32 *args)
{
    const char *name = vfs_directory();
    u32 length = string_length(name) + 1;

    if (length > args[1])
        return -ERANGE;
    return copy_out(args[0], name, length) ? -EFAULT : (s32)length;
}
