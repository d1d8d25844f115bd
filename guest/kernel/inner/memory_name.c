/* Names of files in memory: those below /dev/shm (shm_open, sem_open). */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "inner/inner.h"
#include "inner/memory_file.h"
#include "lib/string.h"
#include "lib/types.h"
#include "open_files/file.h"

#define FOLDER "/dev/shm"
#define NAMES_MAX 32u
#define NAME_MAX 63u

struct name {
    char text[NAME_MAX + 1]; /* empty: this entry is free */
    u32 file;
};

static struct name names[NAMES_MAX];

bool memory_path(const char *path)
{
    u32 length = sizeof(FOLDER) - 1;

    return string_starts(path, FOLDER) &&
           (!path[length] || path[length] == '/');
}

static const char *name_in(const char *path)
{
    const char *name = path + sizeof(FOLDER) - 1;

    return *name == '/' ? name + 1 : name;
}

static struct name *find(const char *name)
{
    for (u32 n = 0; n < NAMES_MAX; n++)
        if (names[n].text[0] && string_equal(names[n].text, name))
            return &names[n];
    return NULL;
}

static s32 add_name(const char *text, u32 file)
{
    if (string_length(text) > NAME_MAX)
        return -ENAMETOOLONG;
    for (const char *c = text; *c; c++)
        if (*c == '/')
            return -ENOENT; /* there are no folders */
    for (u32 n = 0; n < NAMES_MAX; n++)
        if (!names[n].text[0]) {
            string_copy(names[n].text, text, sizeof(names[n].text));
            names[n].file = file;
            return 0;
        }
    return -ENOSPC;
}

u32 memory_names(u32 file)
{
    u32 count = 0;

    for (u32 n = 0; n < NAMES_MAX; n++)
        count += names[n].text[0] && names[n].file == file;
    return count;
}

static s32 create(const char *name, u32 mode, u32 *number)
{
    s32 error = memory_make(mode, number);

    if (!error)
        error = add_name(name, *number);
    return error;
}

s32 memory_file_open(const char *path, u32 flags, u32 mode, struct file **out)
{
    const struct name *entry = find(name_in(path));
    u32 number = entry ? entry->file : 0;
    s32 error = 0;

    if (!*name_in(path))
        return (flags & O_ACCMODE) != O_RDONLY ? -EISDIR : -EACCES;
    if (flags & O_DIRECTORY)
        return -ENOTDIR;
    if (entry && flags & O_CREAT && flags & O_EXCL)
        return -EEXIST;
    if (!entry && !(flags & O_CREAT))
        return -ENOENT;
    if (!entry)
        error = create(name_in(path), mode, &number);
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
    const struct name *entry = find(name_in(path));

    if (!*name_in(path)) {
        *status = (struct status){.mode = S_IFDIR | 01777, .links = 2};
        return 0;
    }
    if (!entry)
        return -ENOENT;
    memory_fill_status(entry->file, status);
    return 0;
}

s32 memory_file_unlink(const char *path)
{
    struct name *entry = find(name_in(path));

    if (!entry)
        return -ENOENT;
    entry->text[0] = 0;
    memory_files_collect();
    return 0;
}

s32 memory_file_link(const char *from, const char *to)
{
    const struct name *entry = find(name_in(from));

    if (!entry)
        return -ENOENT;
    if (find(name_in(to)))
        return -EEXIST;
    return add_name(name_in(to), entry->file);
}

s32 memory_file_rename(const char *from, const char *to)
{
    struct name *entry = find(name_in(from)), *old = find(name_in(to));
    s32 error;

    if (!entry)
        return -ENOENT;
    if (entry == old)
        return 0;
    if (old)
        old->text[0] = 0;
    error = add_name(name_in(to), entry->file);
    if (!error)
        entry->text[0] = 0;
    memory_files_collect();
    return error;
}
