/* Symbolic links among files in memory: an empty file holds the inode, and a
 * table the path that it leads to. Who opens a path follows it: files/vfs.c. */
#include "abi/abi.h"
#include "inner/inner.h"
#include "inner/memory_file.h"
#include "lib/string.h"
#include "lib/types.h"

#define LINKS_MAX 32u

static char targets[LINKS_MAX][NAME_MAX + 1]; /* empty: free */
static u32 links;

s32 memory_link_new(const char *target, const char *path)
{
    u32 number, n = 0;
    s32 error;

    if (memory_root(path) || memory_find(path))
        return -EEXIST;
    if (!*target)
        return -ENOENT;
    if (string_length(target) > NAME_MAX)
        return -ENAMETOOLONG;
    while (n < LINKS_MAX && targets[n][0])
        n++;
    if (n == LINKS_MAX)
        return -ENOSPC;
    error = memory_make(0777, &number);
    if (!error)
        error = memory_add_name(path, number);
    if (error) {
        memory_files_collect();
        return error;
    }
    string_copy(targets[n], target, NAME_MAX + 1);
    memory_find(path)->link = n + 1;
    links++;
    return 0;
}

void memory_link_free(struct name *entry)
{
    if (!entry->link)
        return;
    targets[entry->link - 1][0] = 0;
    entry->link = 0;
    links--;
}

bool memory_has_links(void)
{
    return links > 0;
}

/* Where a path leads to; NULL: it is no link. */
const char *memory_link_target(const char *path)
{
    const struct name *entry = links ? memory_find(path) : NULL;

    return entry && entry->link ? targets[entry->link - 1] : NULL;
}
