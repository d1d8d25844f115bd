/* timerfd: a timer whose expirations are read. The open file's value is the
 * timer's number. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "inner/inner.h"
#include "lib/string.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "open_files/file.h"
#include "process/process.h"

/* How often it has expired since the last read. */
static s32 timer_read(struct file *file, void *buffer, u32 count, u64 offset)
{
    u64 expirations;

    (void)offset;
    if (count < sizeof(expirations))
        return -EINVAL;
    while (!posix_timer_expired(file->value)) {
        s32 error = wait_or_fail(file);

        if (error)
            return error;
    }
    expirations = 1 + posix_timer_taken(file->value);
    memcpy(buffer, &expirations, sizeof(expirations));
    return sizeof(expirations);
}

s32 inner_status(struct file *file, struct status *status)
{
    (void)file;
    *status =
        (struct status){.mode = 0600, .links = 1, .block_size = PAGE_SIZE};
    return 0;
}

static u32 timer_ready(struct file *file)
{
    return posix_timer_expired(file->value) ? POLLIN : 0;
}

static void timer_close(struct file *file)
{
    posix_timer_delete(file->value);
}

static const struct file_ops timer_ops = {
    .read = timer_read,
    .status = inner_status,
    .ready = timer_ready,
    .close = timer_close,
};

s32 timer_file_new(bool by_date, u32 flags, struct file **out)
{
    const struct timer_event event = {.counted = true, .by_date = by_date};
    s32 number = posix_timer_new(&event);
    s32 error;

    if (number < 0)
        return -EMFILE;
    error = file_new(&timer_ops, flags & O_NONBLOCK, out);
    if (error)
        posix_timer_delete((u32)number);
    else
        (*out)->value = (u32)number;
    return error;
}

/* The timer behind an open file; false if it is none of these. */
bool timer_file_number(const struct file *file, u32 *number)
{
    if (file->ops != &timer_ops)
        return false;
    *number = file->value;
    return true;
}
