/*
 * asynchronous.c: aio_read and its family: the caller's core reads or writes
 * at once, so that all is done when the call returns. The C library's would
 * keep its queues in data that are each core's.
 */
#include "../threads.h"

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

struct call {
    void (*function)(union sigval value);
    union sigval value;
};

static void *notify_by_thread(void *argument)
{
    struct call call = *(struct call *)argument;

    free(argument);
    call.function(call.value);
    return NULL;
}

static void make_thread(const struct sigevent *event)
{
    struct call *call = malloc(sizeof(*call));
    pthread_attr_t attributes = crf_notifying(event);
    pthread_t thread;

    if (!call)
        return;
    call->function = event->sigev_notify_function;
    call->value = event->sigev_value;
    if (pthread_create(&thread, &attributes, notify_by_thread, call))
        free(call);
}

static void notify(const struct sigevent *event)
{
    if (event->sigev_notify == SIGEV_THREAD)
        make_thread(event);
    else if (event->sigev_notify == SIGEV_SIGNAL && event->sigev_signo)
        kill(getpid(), event->sigev_signo);
}

static void end(struct aiocb *block, ssize_t result)
{
    block->__ret = result;
    block->__err = result < 0 ? errno : 0;
    notify(&block->aio_sigevent);
}

static int is_open(const struct aiocb *block)
{
    return fcntl(block->aio_fildes, F_GETFL) >= 0;
}

/* Files that have no positions are read and written in turn. */
int aio_read(struct aiocb *block)
{
    void *to = (void *)block->aio_buf;
    ssize_t result;

    if (!is_open(block))
        return -1;
    result = pread(block->aio_fildes, to, block->aio_nbytes, block->aio_offset);
    if (result < 0 && errno == ESPIPE)
        result = read(block->aio_fildes, to, block->aio_nbytes);
    end(block, result);
    return 0;
}

static int appends(const struct aiocb *block)
{
    return (fcntl(block->aio_fildes, F_GETFL) & O_APPEND) != 0;
}

int aio_write(struct aiocb *block)
{
    const void *from = (const void *)block->aio_buf;
    ssize_t result = -1;
    int in_turn;

    if (!is_open(block))
        return -1;
    in_turn = appends(block);
    if (!in_turn)
        result = pwrite(block->aio_fildes, from, block->aio_nbytes,
                        block->aio_offset);
    if (in_turn || (result < 0 && errno == ESPIPE))
        result = write(block->aio_fildes, from, block->aio_nbytes);
    end(block, result);
    return 0;
}

int aio_fsync(int kind, struct aiocb *block)
{
    if (kind != O_SYNC && kind != O_DSYNC) {
        errno = EINVAL;
        return -1;
    }
    if (!is_open(block))
        return -1;
    end(block, fsync(block->aio_fildes));
    return 0;
}

int aio_error(const struct aiocb *block)
{
    return block->__err;
}

ssize_t aio_return(struct aiocb *block)
{
    return block->__ret;
}

int aio_cancel(int file, struct aiocb *block)
{
    if (block && block->aio_fildes != file) {
        errno = EINVAL;
        return -1;
    }
    return fcntl(file, F_GETFL) < 0 ? -1 : AIO_ALLDONE;
}

int aio_suspend(const struct aiocb *const blocks[], int count,
                const struct timespec *limit)
{
    (void)blocks;
    (void)count;
    (void)limit;
    return 0;
}

static int begin(struct aiocb *block)
{
    if (!block || block->aio_lio_opcode == LIO_NOP)
        return 0;
    if (block->aio_lio_opcode == LIO_READ)
        return aio_read(block);
    if (block->aio_lio_opcode == LIO_WRITE)
        return aio_write(block);
    errno = EINVAL;
    return -1;
}

int lio_listio(int mode, struct aiocb *restrict const *restrict blocks,
               int count, struct sigevent *restrict event)
{
    int failed = 0;

    if (count < 0 || (mode != LIO_WAIT && mode != LIO_NOWAIT)) {
        errno = EINVAL;
        return -1;
    }
    for (int n = 0; n < count; n++)
        failed |= begin(blocks[n]) ||
                  (mode == LIO_WAIT && blocks[n] && blocks[n]->__err);
    if (mode == LIO_NOWAIT && event)
        notify(event);
    if (failed)
        errno = EIO;
    return failed ? -1 : 0;
}
