/* One tree of names: the shared folder at "/", devices under /dev, files in
 * memory under /dev/shm, a few texts under /proc. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "devices/devices.h"
#include "drivers/drivers.h"
#include "files/files.h"
#include "files/share.h"
#include "inner/inner.h"
#include "lib/options.h"
#include "lib/string.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "open_files/file.h"

static char working_directory[PATH_MAX] = "/";

const char *vfs_directory(void)
{
    return working_directory;
}

static char name[PATH_MAX];

/* Whether the name of the last vfs_path can only be that of a directory. */
bool vfs_named_directory(void)
{
    u32 length = string_length(name);

    return length && name[length - 1] == '/';
}

/* The absolute path that a system call means by (directory, user_path). */
s32 vfs_path(s32 directory, u32 user_path, char *out)
{
    const char *base = working_directory;
    s32 length = copy_in_string(name, user_path, PATH_MAX);

    if (length < 0)
        return length;
    if (length == 0)
        return -ENOENT;
    if (directory != AT_FDCWD && name[0] != '/') {
        struct file *file = file_of((u32)directory);

        if (!file)
            return -EBADF;
        if (!file->path[0])
            return -ENOTDIR;
        base = file->path;
    }
    return path_join(out, base, name);
}

bool vfs_shared(const char *path)
{
    return !device_path(path) && !proc_path(path);
}

/* Below or at /tmp. */
static bool temporary(const char *path)
{
    return path[0] == '/' && path[1] == 't' && path[2] == 'm' &&
           path[3] == 'p' && (path[4] == '/' || !path[4]);
}

/* Once: else a program says no more than that there is no such file. A
 * relative name is that of a user's file, which one rank reports; names that
 * begin with / are mostly the libraries' own. A trace shows the call itself. */
static void warn_of_missing_share(const char *path, u32 flags)
{
    static bool warned;
    bool create = temporary(path) && (flags & O_CREAT);
    bool users = !options.share && name[0] != '/' && options.rank == 0;

    if (warned || options.strace || (!create && !users))
        return;
    warned = true;
    if (create)
        print("rockcreek: core %u: there is no /tmp: share a folder that has "
              "one (rck run --share DIR)\n",
              options.core);
    else
        print("rockcreek: core %u: no %s: programs see no file of the host "
              "unless a folder is shared (rck run --share DIR)\n",
              options.core, name);
}

s32 vfs_open(const char *path, u32 flags, u32 mode, struct file **out)
{
    if (memory_path(path))
        return memory_file_open(path, flags, mode, out);
    if (device_path(path))
        return device_open(path, flags, out);
    if (proc_path(path))
        return proc_open(path, flags, out);

    s32 error = share_open(path, flags, mode, out);

    if (error == -ENOENT)
        warn_of_missing_share(path, flags);
    return error;
}

s32 vfs_status(const char *path, bool follow, struct status *status)
{
    if (memory_path(path))
        return memory_file_status(path, status);
    if (device_path(path))
        return device_status(path, status);
    if (proc_path(path))
        return proc_status(path, status);
    if (!options.share && string_equal(path, "/")) {
        *status = (struct status){.mode = S_IFDIR | 0555, .links = 2};
        return 0;
    }
    return share_status(path, follow, status);
}

s32 vfs_change_directory(const char *path)
{
    struct status status;
    s32 error = vfs_status(path, true, &status);

    if (error)
        return error;
    if ((status.mode & S_IFMT) != S_IFDIR)
        return -ENOTDIR;
    string_copy(working_directory, path, PATH_MAX);
    return 0;
}
