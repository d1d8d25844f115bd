/* eventfd: a counter that threads add to and take from. The open file's
 * offset is the counter. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "inner/inner.h"
#include "lib/string.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "open_files/file.h"
#include "process/thread.h"

#define SEMAPHORE 1u        /* EFD_SEMAPHORE: a read takes one */
#define LARGEST (~0ull - 1) /* 2^64 - 2: more blocks the writer */

static s32 event_read(struct file *file, void *buffer, u32 count, u64 offset)
{
    u64 taken;

    (void)offset;
    if (count < sizeof(taken))
        return -EINVAL;
    while (file->offset == 0) {
        s32 error = wait_or_fail(file);

        if (error)
            return error;
    }
    taken = file->value & SEMAPHORE ? 1 : file->offset;
    file->offset -= taken;
    memcpy(buffer, &taken, sizeof(taken));
    thread_event();
    return sizeof(taken);
}

static s32 event_write(struct file *file, const void *buffer, u32 count,
                       u64 offset)
{
    u64 added;

    (void)offset;
    if (count < sizeof(added))
        return -EINVAL;
    memcpy(&added, buffer, sizeof(added));
    if (added > LARGEST)
        return -EINVAL;
    while (added > LARGEST - file->offset) {
        s32 error = wait_or_fail(file);

        if (error)
            return error;
    }
    file->offset += added;
    thread_event();
    return sizeof(added);
}

static u32 event_ready(struct file *file)
{
    return (file->offset > 0 ? POLLIN : 0) |
           (file->offset < LARGEST ? POLLOUT : 0);
}

static const struct file_ops event_ops = {
    .read = event_read,
    .write = event_write,
    .status = inner_status,
    .ready = event_ready,
};

s32 event_new(u32 counter, u32 flags, struct file **out)
{
    s32 error = file_new(&event_ops, (flags & O_NONBLOCK) | O_RDWR, out);

    if (error)
        return error;
    (*out)->offset = counter;
    (*out)->value = flags & SEMAPHORE;
    return 0;
}
