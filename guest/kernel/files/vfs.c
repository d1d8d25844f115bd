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

#define LINKS_FOLLOWED 8u

static char working_directory[PATH_MAX] = "/";

const char *vfs_directory(void)
{
    return working_directory;
}

static char name[PATH_MAX];

/* The first symbolic link in memory among the path's folders, or also (`last`)
 * at its end: its length; 0: none. */
static u32 linked(char *path, bool last)
{
    for (u32 n = 1; n == 1 || path[n - 1]; n++) {
        char end = path[n];
        bool found;

        if (end != '/' && (end || !last))
            continue;
        path[n] = 0;
        found = memory_link_target(path);
        path[n] = end;
        if (found)
            return n;
    }
    return 0;
}

/* Follows symbolic links among files in memory; the path may lead out of it. */
s32 vfs_follow(char *path, bool last)
{
    static char rest[PATH_MAX], target[PATH_MAX];
    u32 length;

    if (!memory_has_links())
        return 0;
    for (u32 hops = 0; (length = linked(path, last)); hops++) {
        u32 folder = length;
        s32 error;

        if (hops == LINKS_FOLLOWED)
            return -ELOOP;
        string_copy(rest, path + length, PATH_MAX);
        path[length] = 0;
        string_copy(target, memory_link_target(path), PATH_MAX);
        while (path[folder - 1] != '/')
            folder--;
        path[folder] = 0;
        if (string_length(target) + string_length(rest) >= PATH_MAX)
            return -ENAMETOOLONG;
        string_copy(target + string_length(target), rest,
                    PATH_MAX - string_length(target));
        string_copy(rest, path, PATH_MAX);
        error = path_join(path, rest, target);
        if (error)
            return error;
    }
    return 0;
}

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
    length = path_join(out, base, name);
    return length ? length : vfs_follow(out, false);
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

/* Unless the last name's own link is meant. */
static s32 follow_last(const char **path, bool follow)
{
    static char followed[PATH_MAX];

    if (!follow || !memory_link_target(*path))
        return 0;
    string_copy(followed, *path, PATH_MAX);
    *path = followed;
    return vfs_follow(followed, true);
}

s32 vfs_open(const char *path, u32 flags, u32 mode, struct file **out)
{
    bool new = flags & O_CREAT && flags & O_EXCL;
    s32 wrong = follow_last(&path, !(flags & O_NOFOLLOW) && !new);

    if (!wrong && !new && memory_link_target(path))
        wrong = -ELOOP;
    if (wrong)
        return wrong;
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
    s32 wrong = follow_last(&path, follow);

    if (wrong)
        return wrong;
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
