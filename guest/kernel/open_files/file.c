/* Open files and the program's descriptors for them. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "lib/string.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "open_files/file.h"

#define FILES_MAX 256u
#define DESCRIPTORS_MAX 256u

struct descriptor {
    struct file *file;
    bool close_on_exec;
};

static OF_ALL_PROCESSES struct file files[FILES_MAX];
static struct descriptor descriptors[DESCRIPTORS_MAX];

/* A file with one reference, the caller's. */
s32 file_new(const struct file_ops *ops, u32 flags, struct file **out)
{
    static OF_ALL_PROCESSES u32 openings;

    for (u32 n = 0; n < FILES_MAX; n++)
        if (!files[n].ops) {
            struct file *file = &files[n];

            /* An empty path needs no more than its first byte. */
            memset(file, 0, offsetof(struct file, path) + 1);
            file->ops = ops;
            file->references = 1;
            file->opening = ++openings;
            file->flags = flags & ~(O_CREAT | O_EXCL | O_TRUNC | O_CLOEXEC);
            *out = file;
            return 0;
        }
    return -ENFILE;
}

void file_release(struct file *file)
{
    if (--file->references > 0)
        return;
    if (file->ops->close)
        file->ops->close(file);
    file->ops = NULL;
}

struct file *file_of(u32 descriptor)
{
    if (descriptor >= DESCRIPTORS_MAX)
        return NULL;
    return descriptors[descriptor].file;
}

/* For a call that waits: another thread may close the descriptor meanwhile. */
struct file *file_hold(u32 descriptor)
{
    struct file *file = file_of(descriptor);

    if (file)
        file->references++;
    return file;
}

/* The end of a call that held the file; its result passes through. */
s32 file_let_go(struct file *file, s32 result)
{
    file_release(file);
    return result;
}

/* Whether one more can be opened. */
bool descriptor_available(void)
{
    for (u32 n = 0; n < DESCRIPTORS_MAX; n++)
        if (!descriptors[n].file)
            return true;
    return false;
}

/* Takes over the caller's reference; on an error it is released. */
s32 descriptor_new(struct file *file, u32 lowest, bool close_on_exec)
{
    for (u32 n = lowest; n < DESCRIPTORS_MAX; n++)
        if (!descriptors[n].file) {
            descriptors[n] = (struct descriptor){file, close_on_exec};
            return (s32)n;
        }
    file_release(file);
    return lowest >= DESCRIPTORS_MAX ? -EINVAL : -EMFILE;
}

/* Two at once, whose numbers go to the program. Takes over both references. */
s32 descriptor_new_pair(struct file *ends[2], bool close_on_exec, u32 address)
{
    const s32 numbers[2] = {descriptor_new(ends[0], 0, close_on_exec),
                            descriptor_new(ends[1], 0, close_on_exec)};

    if (numbers[0] >= 0 && numbers[1] >= 0)
        return copy_out(address, numbers, sizeof(numbers));
    if (numbers[0] >= 0)
        descriptor_close((u32)numbers[0]);
    return -EMFILE;
}

/* dup2: whatever the descriptor named before is closed. */
s32 descriptor_set(u32 descriptor, struct file *file, bool close_on_exec)
{
    if (descriptor >= DESCRIPTORS_MAX)
        return -EBADF;
    file->references++;
    if (descriptors[descriptor].file)
        file_release(descriptors[descriptor].file);
    descriptors[descriptor] = (struct descriptor){file, close_on_exec};
    return (s32)descriptor;
}

s32 descriptor_close(u32 descriptor)
{
    struct file *file = file_of(descriptor);

    if (!file)
        return -EBADF;
    descriptors[descriptor].file = NULL;
    file_unlock(file);
    file_release(file);
    return 0;
}

bool descriptor_flag(u32 descriptor)
{
    return descriptors[descriptor].close_on_exec;
}

void descriptor_set_flag(u32 descriptor, bool close_on_exec)
{
    descriptors[descriptor].close_on_exec = close_on_exec;
}

/* The process is a copy of another one: both have the files open. */
void descriptors_copied(void)
{
    for (u32 n = 0; n < DESCRIPTORS_MAX; n++)
        if (descriptors[n].file)
            descriptors[n].file->references++;
}

/* Another program follows: those that are not for it. */
void descriptors_leave(void)
{
    for (u32 n = 0; n < DESCRIPTORS_MAX; n++)
        if (descriptors[n].file && descriptors[n].close_on_exec)
            descriptor_close(n);
}

/* The process ends, and others of the core go on. */
void descriptors_end(void)
{
    for (u32 n = 0; n < DESCRIPTORS_MAX; n++)
        if (descriptors[n].file)
            descriptor_close(n);
}

/* The program ends: nobody must wait for it. */
void descriptors_unlock(void)
{
    for (u32 n = 0; n < DESCRIPTORS_MAX; n++)
        if (descriptors[n].file)
            file_unlock(descriptors[n].file);
}
