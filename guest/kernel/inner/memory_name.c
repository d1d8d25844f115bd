/* Names of files in memory: those below /dev/shm (shm_open, sem_open), and
 * below /tmp where no shared folder has one. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "inner/inner.h"
#include "inner/memory_file.h"
#include "lib/string.h"
#include "lib/types.h"
#include "open_files/file.h"

struct name memory_names[NAMES_MAX];

struct name *memory_find(const char *path)
{
    for (u32 n = 0; n < NAMES_MAX; n++)
        if (memory_names[n].path[0] && string_equal(memory_names[n].path, path))
            return &memory_names[n];
    return NULL;
}

/* Whether there is the folder that the path's last name would be in. */
static bool has_folder(const char *path)
{
    char folder[NAME_MAX + 1];
    const struct name *entry;
    u32 end = string_length(path);

    while (end > 0 && path[end - 1] != '/')
        end--;
    string_copy(folder, path, sizeof(folder));
    folder[end ? end - 1 : 0] = 0;
    entry = memory_find(folder);
    return memory_root(folder) || (entry && entry->file == NO_FILE);
}

s32 memory_add_name(const char *path, u32 file)
{
    if (string_length(path) > NAME_MAX)
        return -ENAMETOOLONG;
    if (!has_folder(path))
        return -ENOENT;
    for (u32 n = 0; n < NAMES_MAX; n++)
        if (!memory_names[n].path[0]) {
            string_copy(memory_names[n].path, path, NAME_MAX + 1);
            memory_names[n].file = file;
            memory_names[n].link = 0;
            if (file != NO_FILE)
                memory_named(file, 1);
            return 0;
        }
    return -ENOSPC;
}

void memory_take_name(struct name *entry)
{
    entry->path[0] = 0;
    memory_link_free(entry);
    if (entry->file != NO_FILE)
        memory_named(entry->file, -1);
}

static s32 create(const char *path, u32 mode, u32 *number)
{
    s32 error = memory_make(mode, number);

    if (!error)
        error = memory_add_name(path, *number);
    return error;
}

s32 memory_file_open(const char *path, u32 flags, u32 mode, struct file **out)
{
    const struct name *entry = memory_find(path);
    u32 number = entry ? entry->file : 0;
    s32 error = 0;

    if ((entry || memory_root(path)) && flags & O_CREAT && flags & O_EXCL)
        return -EEXIST;
    if (memory_root(path) || (entry && number == NO_FILE))
        return memory_folder_open(path, flags, out);
    if (!entry && !(flags & O_CREAT))
        return -ENOENT;
    if (flags & O_DIRECTORY)
        return -ENOTDIR;
    if (!entry)
        error = create(path, mode, &number);
    if (!error)
        error = memory_open_number(number, flags, out);
    if (error) {
        memory_files_collect();
        return error;
    }
    string_copy((*out)->path, path, PATH_MAX);
    if (flags & O_TRUNC && (flags & O_ACCMODE) != O_RDONLY)
        memory_truncate(*out, 0);
    return 0;
}

s32 memory_file_status(const char *path, struct status *status)
{
    const struct name *entry = memory_find(path);

    if (!entry && !memory_root(path))
        return -ENOENT;
    if (!entry || entry->file == NO_FILE)
        memory_folder_status(path, status);
    else
        memory_fill_status(entry->file, status);
    if (entry && entry->link) {
        status->mode = S_IFLNK | 0777;
        status->size = string_length(memory_link_target(path));
    }
    return 0;
}

s32 memory_file_mode(const char *path, u32 mode)
{
    const struct name *entry = memory_find(path);

    if (!entry)
        return memory_root(path) ? -EPERM : -ENOENT;
    if (entry->file != NO_FILE)
        memory_set_number_mode(entry->file, mode);
    return 0;
}

s32 memory_file_size(const char *path, u64 size)
{
    struct file *file;
    s32 error = memory_file_open(path, O_WRONLY, 0, &file);

    if (error)
        return error;
    error = memory_truncate(file, size);
    file_release(file);
    return error;
}

s32 memory_file_unlink(const char *path)
{
    struct name *entry = memory_find(path);

    if (memory_root(path))
        return -EISDIR;
    if (!entry)
        return -ENOENT;
    if (entry->file == NO_FILE)
        return -EISDIR;
    memory_take_name(entry);
    return 0;
}

s32 memory_file_link(const char *from, const char *to)
{
    const struct name *entry = memory_find(from);

    if (!entry)
        return memory_root(from) ? -EPERM : -ENOENT;
    if (entry->file == NO_FILE || entry->link)
        return -EPERM;
    if (memory_find(to) || memory_root(to))
        return -EEXIST;
    return memory_add_name(to, entry->file);
}

/* The new name goes away for the old one, if it may. */
static s32 replace(const struct name *entry, struct name *old)
{
    bool folder = entry->file == NO_FILE, old_folder = old->file == NO_FILE;

    if (folder != old_folder)
        return folder ? -ENOTDIR : -EISDIR;
    if (old_folder && !memory_folder_empty(old->path))
        return -ENOTEMPTY;
    memory_take_name(old);
    return 0;
}

/* What lies in a folder has the folder's path in its own: whether all of these
 * paths have room for the new one. */
static bool all_fit(const char *from, const char *to)
{
    u32 length = string_length(from), more = string_length(to);

    for (u32 n = 0; n < NAMES_MAX; n++)
        if (memory_below(memory_names[n].path, from) &&
            string_length(memory_names[n].path) - length + more > NAME_MAX)
            return false;
    return more <= NAME_MAX;
}

static void move_all(const char *from, const char *to)
{
    u32 length = string_length(from), more = string_length(to);
    char rest[NAME_MAX + 1];

    for (u32 n = 0; n < NAMES_MAX; n++)
        if (memory_below(memory_names[n].path, from)) {
            string_copy(rest, memory_names[n].path + length, sizeof(rest));
            string_copy(memory_names[n].path, to, NAME_MAX + 1);
            string_copy(memory_names[n].path + more, rest, NAME_MAX + 1 - more);
        }
}

/* Names of one file: a rename from one to the other changes nothing. */
static bool are_one_file(const struct name *a, const struct name *b)
{
    return a == b || (b && a->file != NO_FILE && a->file == b->file);
}

s32 memory_file_rename(const char *from, const char *to)
{
    struct name *entry = memory_find(from), *old = memory_find(to);
    s32 error;

    if (memory_root(from) || memory_root(to))
        return -EBUSY;
    if (!entry)
        return -ENOENT;
    if (are_one_file(entry, old))
        return 0;
    if (memory_below(to, from))
        return -EINVAL;
    if (!all_fit(from, to))
        return -ENAMETOOLONG;
    if (!has_folder(to))
        return -ENOENT;
    error = old ? replace(entry, old) : 0;
    if (error)
        return error;
    if (entry->file == NO_FILE)
        move_all(from, to);
    string_copy(entry->path, to, NAME_MAX + 1);
    return 0;
}
