/* Folders of names in memory: /dev/shm and /tmp, and what mkdir makes below
 * them. A folder is a name alone; what lies in it has its path in front. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "inner/inner.h"
#include "inner/memory_file.h"
#include "lib/string.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "open_files/file.h"

#define TYPE_FOLDER 4u /* of an entry: DT_DIR, DT_REG */
#define TYPE_FILE 8u
#define TYPE_LINK 10u
#define OWN_ENTRIES 2u /* "." and ".." */

static const char *const roots[] = {"/dev/shm", "/tmp"};

bool memory_below(const char *path, const char *folder)
{
    return string_starts(path, folder) && path[string_length(folder)] == '/';
}

bool memory_root(const char *path)
{
    for (u32 n = 0; n < COUNT(roots); n++)
        if (string_equal(path, roots[n]))
            return true;
    return false;
}

bool memory_path(const char *path)
{
    for (u32 n = 0; n < COUNT(roots); n++)
        if (memory_below(path, roots[n]))
            return true;
    return memory_root(path);
}

/* The last name of what lies in the folder itself, or null. */
static const char *name_in(const char *path, const char *folder)
{
    const char *name = path + string_length(folder) + 1;

    if (!memory_below(path, folder))
        return NULL;
    for (const char *c = name; *c; c++)
        if (*c == '/')
            return NULL;
    return name;
}

bool memory_folder_empty(const char *path)
{
    for (u32 n = 0; n < NAMES_MAX; n++)
        if (memory_below(memory_names[n].path, path))
            return false;
    return true;
}

void memory_folder_status(const char *path, struct status *status)
{
    const struct name *entry = memory_find(path);

    *status = (struct status){
        .mode = S_IFDIR | (entry ? 0755 : 01777),
        .links = 2,
        .inode = FOLDER_NUMBER + (entry ? 1 + (u32)(entry - memory_names) : 0),
        .block_size = PAGE_SIZE,
    };
}

static s32 folder_status(struct file *open, struct status *status)
{
    memory_folder_status(open->path, status);
    return 0;
}

/* Entry `n` of the table; true: the buffer is full. */
static bool put_name(const struct file *open, u32 n, entry_sink put, void *sink)
{
    const struct name *entry = &memory_names[n];
    const char *name = name_in(entry->path, open->path);
    bool folder = entry->file == NO_FILE;
    u32 type = entry->link ? TYPE_LINK : TYPE_FILE;

    if (!name)
        return false;
    return !put(sink,
                folder ? FOLDER_NUMBER + 1 + n : NODE_NUMBER + entry->file,
                n + 1 + OWN_ENTRIES, folder ? TYPE_FOLDER : type, name,
                string_length(name));
}

static s32 folder_entries(struct file *open, u64 offset, entry_sink put,
                          void *sink)
{
    static const char *const own[OWN_ENTRIES] = {".", ".."};

    for (u32 n = (u32)offset; n < OWN_ENTRIES + NAMES_MAX; n++)
        if (n < OWN_ENTRIES
                ? !put(sink, FOLDER_NUMBER, n + 1, TYPE_FOLDER, own[n], n + 1)
                : put_name(open, n - OWN_ENTRIES, put, sink))
            break;
    return 0;
}

static s32 folder_sync(struct file *open)
{
    (void)open;
    return 0;
}

static const struct file_ops folder_ops = {
    .seekable = true,
    .status = folder_status,
    .entries = folder_entries,
    .sync = folder_sync,
};

s32 memory_folder_open(const char *path, u32 flags, struct file **out)
{
    s32 error;

    if ((flags & O_ACCMODE) != O_RDONLY || flags & O_CREAT)
        return -EISDIR;
    error = file_new(&folder_ops, flags, out);
    if (!error)
        string_copy((*out)->path, path, PATH_MAX);
    return error;
}

s32 memory_folder_new(const char *path)
{
    if (memory_root(path) || memory_find(path))
        return -EEXIST;
    return memory_add_name(path, NO_FILE);
}

s32 memory_folder_remove(const char *path)
{
    struct name *entry = memory_find(path);

    if (memory_root(path))
        return -EBUSY;
    if (!entry)
        return -ENOENT;
    if (entry->file != NO_FILE)
        return -ENOTDIR;
    if (!memory_folder_empty(path))
        return -ENOTEMPTY;
    memory_take_name(entry);
    return 0;
}
