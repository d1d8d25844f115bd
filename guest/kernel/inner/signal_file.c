/* signalfd: signals that the program blocks, and reads. The open file's offset
 * is their mask. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "abi/abi_signal.h"
#include "inner/inner.h"
#include "lib/string.h"
#include "lib/types.h"
#include "open_files/file.h"
#include "process/process.h"
#include "process/signal.h"

/* Linux's struct signalfd_siginfo, as far as there is something to say. */
struct record {
    u32 number;
    s32 error, code;
    u32 process, user;
    s32 descriptor;
    u32 timer, band, overruns, trap;
    s32 status, integer;
    u64 pointer;
    u8 rest[72];
};

_Static_assert(sizeof(struct record) == 128, "Linux's signalfd_siginfo");

static void fill(struct record *record, const struct siginfo *info)
{
    bool timer = info->code == SI_TIMER;

    *record = (struct record){
        .number = (u32)info->number,
        .code = info->code,
        .process = timer ? 0 : info->fields[0],
        .user = timer ? 0 : info->fields[1],
        .timer = timer ? info->fields[0] : 0,
        .overruns = timer ? info->fields[1] : 0,
        .integer = (s32)info->fields[2],
        .pointer = info->fields[2],
    };
}

static s32 signal_read(struct file *file, void *buffer, u32 count, u64 offset)
{
    struct record record;
    struct siginfo info;
    u32 done = 0;

    (void)offset;
    if (count < sizeof(record))
        return -EINVAL;
    while (!(signals_pending() & file->offset)) {
        s32 error = wait_or_fail(file);

        if (error)
            return error;
    }
    for (; done + sizeof(record) <= count; done += sizeof(record)) {
        signals_take(file->offset, &info);
        if (!info.number)
            break;
        fill(&record, &info);
        memcpy((u8 *)buffer + done, &record, sizeof(record));
    }
    return (s32)done;
}

static u32 signal_ready(struct file *file)
{
    return signals_pending() & file->offset ? POLLIN : 0;
}

static const struct file_ops signal_ops = {
    .read = signal_read,
    .status = inner_status,
    .ready = signal_ready,
};

s32 signal_file_new(u64 mask, u32 flags, struct file **out)
{
    s32 error = file_new(&signal_ops, flags & O_NONBLOCK, out);

    if (!error)
        (*out)->offset = mask;
    return error;
}

/* Another mask; false if it is no file of these. */
bool signal_file_set(struct file *file, u64 mask)
{
    if (file->ops != &signal_ops)
        return false;
    file->offset = mask;
    return true;
}
