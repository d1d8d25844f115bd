/* One tree of names: the shared folder at "/", devices under /dev, files in
 * memory under /dev/shm and /tmp, a few texts under /proc. */
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

static bool settings_path(const char *path)
{
    return string_starts(path, "/etc/");
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

static bool share_has_temporary(void)
{
    static bool known, found;
    struct status status;

    if (!known)
        found = share_status("/tmp", true, &status) == 0;
    known = true;
    return found;
}

/* Below /dev/shm, or below /tmp where no folder of the host is there. */
bool vfs_in_memory(const char *path)
{
    u32 fid, end;

    if (!memory_path(path))
        return false;
    if (!temporary(path))
        return true;
    return !(mount_root(path, &fid, &end) && fid) && !share_has_temporary();
}

/* Once: else a program says no more than that there is no such file. A
 * relative name is that of a user's file, which one rank reports; names that
 * begin with / are mostly the libraries' own. A trace shows the call itself. */
static void warn_of_missing_share(void)
{
    static bool warned;

    if (warned || options.strace || options.share || name[0] == '/' ||
        options.rank != 0)
        return;
    warned = true;
    print("rockcreek: core %u: no %s: programs see no file of the host "
          "unless a folder is shared (rck run --share DIR)\n",
          options.core, name);
}

/* Once: the C library takes a time zone whose file is missing for UTC. */
static void warn_of_time_zone(const char *path)
{
    static const char folder[] = "/usr/share/zoneinfo/";
    static bool warned;
    const char *zone = path + sizeof folder - 1;

    if (warned || options.strace || options.rank != 0 ||
        !string_starts(path, folder) || string_equal(zone, "UTC") ||
        string_equal(zone, "GMT") || string_starts(zone, "Etc/"))
        return;
    warned = true;
    print("rockcreek: core %u: no time zone %s: times are those of UTC; TZ "
          "takes rules (CET-1CEST,M3.5.0,M10.5.0/3), or share a folder with "
          "%s\n",
          options.core, zone, path + 1);
}

s32 vfs_open(const char *path, u32 flags, u32 mode, struct file **out)
{
    if (vfs_in_memory(path))
        return memory_file_open(path, flags, mode, out);
    if (device_path(path))
        return device_open(path, flags, out);
    if (proc_path(path))
        return proc_open(path, flags, out);

    s32 error = share_open(path, flags, mode, out);

    if (error == -ENOENT && settings_path(path))
        return proc_open(path, flags, out);
    if (error == -ENOENT) {
        warn_of_missing_share();
        warn_of_time_zone(path);
    }
    return error;
}

s32 vfs_status(const char *path, bool follow, struct status *status)
{
    if (vfs_in_memory(path))
        return memory_file_status(path, status);
    if (device_path(path))
        return device_status(path, status);
    if (proc_path(path))
        return proc_status(path, status);
    if (!options.share && string_equal(path, "/")) {
        *status = (struct status){.mode = S_IFDIR | 0555, .links = 2};
        return 0;
    }

    s32 error = share_status(path, follow, status);

    if (error == -ENOENT && settings_path(path))
        return proc_status(path, status);
    return error;
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
