/* Pipes: a ring of bytes with two ends. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "abi/abi_signal.h"
#include "inner/inner.h"
#include "inner/ring.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "open_files/file.h"
#include "process/process.h"
#include "process/signal.h"
#include "process/thread.h"

#define PIPES_MAX 16u
#define PIPE_BUF 4096u /* bytes that are written as one */

struct pipe {
    bool readable, writable; /* that end is open; neither: a free slot */
    struct ring ring;
};

static OF_ALL_PROCESSES struct pipe pipes[PIPES_MAX];

/* Blocks until another part of the program, a thread or a signal handler, may
 * have changed something. */
s32 wait_or_fail(const struct file *file)
{
    if (file->flags & O_NONBLOCK)
        return -EAGAIN;
    timer_idle();
    return signal_waiting() ? -ERESTART : 0;
}

static s32 pipe_read(struct file *file, void *buffer, u32 count, u64 offset)
{
    struct pipe *pipe = file->pipe;
    u32 done;

    (void)offset;
    while (pipe->ring.length == 0 && pipe->writable && count > 0) {
        s32 error = wait_or_fail(file);

        if (error)
            return error;
    }
    done = ring_look(&pipe->ring, 0, buffer, count);
    ring_drop(&pipe->ring, done);
    thread_event();
    return (s32)done;
}

/* A write of at most PIPE_BUF bytes is one piece: it waits until all of it
 * has room. A larger one goes on until all is written. */
static s32 pipe_write(struct file *file, const void *buffer, u32 count,
                      u64 offset)
{
    struct pipe *pipe = file->pipe;
    u32 needed = count <= PIPE_BUF ? count : 1, done = 0;

    (void)offset;
    if (count == 0)
        return 0;
    for (;;) {
        s32 error;

        if (!pipe->readable) {
            signal_send(SIGPIPE, SI_KERNEL, 0);
            return done > 0 ? (s32)done : -EPIPE;
        }
        if (RING_SIZE - pipe->ring.length >= needed) {
            done +=
                ring_put(&pipe->ring, (const u8 *)buffer + done, count - done);
            thread_event();
        }
        if (done == count)
            return (s32)done;
        error = wait_or_fail(file);
        if (error)
            return done > 0 ? (s32)done : error;
    }
}

static bool is_reader(const struct file *file)
{
    return (file->flags & O_ACCMODE) == O_RDONLY;
}

static s32 pipe_status(struct file *file, struct status *status)
{
    (void)file;
    *status = (struct status){
        .mode = S_IFIFO | 0600, .links = 1, .block_size = PAGE_SIZE};
    return 0;
}

static u32 pipe_ready(struct file *file)
{
    const struct pipe *pipe = file->pipe;

    if (!is_reader(file))
        return (RING_SIZE - pipe->ring.length >= PIPE_BUF ? POLLOUT : 0) |
               (pipe->readable ? 0 : POLLERR);
    return (pipe->ring.length > 0 ? POLLIN : 0) |
           (pipe->writable ? 0 : POLLHUP);
}

static s32 pipe_control(struct file *file, u32 request, u32 argument)
{
    if (request != FIONREAD)
        return -ENOTTY;
    return copy_out(argument, &file->pipe->ring.length, 4);
}

static void pipe_close(struct file *file)
{
    if (is_reader(file))
        file->pipe->readable = false;
    else
        file->pipe->writable = false;
    thread_event();
}

static const struct file_ops pipe_ops = {
    .read = pipe_read,
    .write = pipe_write,
    .status = pipe_status,
    .control = pipe_control,
    .ready = pipe_ready,
    .close = pipe_close,
};

static struct pipe *free_pipe(void)
{
    for (u32 n = 0; n < PIPES_MAX; n++)
        if (!pipes[n].readable && !pipes[n].writable)
            return &pipes[n];
    return NULL;
}

s32 pipe_new(struct file *ends[2], u32 flags)
{
    struct pipe *pipe = free_pipe();
    s32 error;

    if (!pipe)
        return -ENFILE;
    error = ring_prepare(&pipe->ring);
    if (error)
        return error;
    flags &= O_NONBLOCK;
    error = file_new(&pipe_ops, flags | O_RDONLY, &ends[0]);
    if (error)
        return error;
    ends[0]->pipe = pipe;
    pipe->readable = true;
    error = file_new(&pipe_ops, flags | O_WRONLY, &ends[1]);
    if (error) {
        file_release(ends[0]);
        return error;
    }
    ends[1]->pipe = pipe;
    pipe->writable = true;
    return 0;
}
