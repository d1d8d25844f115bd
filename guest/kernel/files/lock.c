/* Locks on bytes of files: fcntl's, and flock as one on the whole file. The
 * file's server has the locks of all cores; who waits asks it again and again,
 * for nobody would report it. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "drivers/drivers.h"
#include "files/files.h"
#include "lib/types.h"
#include "memory/memory.h"
#include "open_files/file.h"
#include "process/process.h"

#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define PAUSE 50000u /* nanoseconds between two questions */

static bool is_wide(u32 command)
{
    return command >= F_GETLK64;
}

/* The program's lock in the wide form. */
static s32 take_in(u32 command, u32 address, struct flock64 *wide)
{
    struct flock narrow;
    s32 error;

    if (is_wide(command))
        return copy_in(wide, address, sizeof(*wide));
    error = copy_in(&narrow, address, sizeof(narrow));
    if (!error)
        *wide = (struct flock64){narrow.type, narrow.whence, narrow.start,
                                 narrow.length, narrow.process};
    return error;
}

static s32 hand_out(u32 command, u32 address, const struct flock64 *wide)
{
    struct flock narrow = {wide->type, wide->whence, (s32)wide->start,
                           (s32)wide->length, wide->process};

    if (is_wide(command))
        return copy_out(address, wide, sizeof(*wide));
    return copy_out(address, &narrow, sizeof(narrow));
}

/* Where the bytes lie, from the file's beginning. */
static s32 place(struct file *file, const struct flock64 *from, struct lock *to)
{
    struct status status = {0};
    s64 start = from->start, length = from->length;
    s32 error = 0;

    if (from->whence == SEEK_END)
        error = file->ops->status(file, &status);
    else if (from->whence != SEEK_SET && from->whence != SEEK_CUR)
        error = -EINVAL;
    if (error)
        return error;
    if (from->whence == SEEK_CUR)
        start += (s64)file->offset;
    start += (s64)status.size;
    if (length < 0) { /* the bytes before the start */
        start += length;
        length = -length;
    }
    if (start < 0 || from->type < F_RDLCK || from->type > F_UNLCK)
        return -EINVAL;
    *to = (struct lock){from->type, (u64)start, (u64)length, 0};
    return 0;
}

static s32 find(struct file *file, u32 command, u32 address,
                struct flock64 *user, struct lock *lock)
{
    s32 error = file->ops->find_lock(file, lock);

    if (error)
        return error;
    user->type = lock->type;
    if (lock->type != F_UNLCK) {
        user->whence = SEEK_SET;
        user->start = (s64)lock->start;
        user->length = (s64)lock->length;
        user->process = lock->process;
    }
    return hand_out(command, address, user);
}

/* Holds the file: another thread may close the descriptor meanwhile. */
static s32 lock_or_wait(struct file *file, const struct lock *lock)
{
    s32 error = file_lock(file, lock);

    file->references++;
    while (error == -EAGAIN)
        error = timer_sleep_until(clock_nanoseconds() + PAUSE)
                    ? file_lock(file, lock)
                    : -ERESTART;
    return file_let_go(file, error);
}

/* fcntl's lock commands. */
s32 lock_control(struct file *file, u32 command, u32 address, s32 process)
{
    u32 access = file->flags & O_ACCMODE;
    struct flock64 user;
    struct lock lock;
    s32 error;

    if (!file->ops->lock)
        return -ENOLCK;
    error = take_in(command, address, &user);
    if (!error)
        error = place(file, &user, &lock);
    lock.process = process;
    if (error)
        return error;
    if (command == F_GETLK || command == F_GETLK64)
        return lock.type == F_UNLCK
                   ? -EINVAL
                   : find(file, command, address, &user, &lock);
    if ((lock.type == F_RDLCK && access == O_WRONLY) ||
        (lock.type == F_WRLCK && access == O_RDONLY))
        return -EBADF;
    if (command == F_SETLKW || command == F_SETLKW64)
        return lock_or_wait(file, &lock);
    return file_lock(file, &lock);
}

/* flock is a lock on the whole file, here as on other file servers. */
s32 lock_whole(struct file *file, u32 operation, s32 process)
{
    struct lock lock = {F_UNLCK, 0, 0, process};

    switch (operation & ~LOCK_NB) {
    case LOCK_SH:
        lock.type = F_RDLCK;
        break;
    case LOCK_EX:
        lock.type = F_WRLCK;
        break;
    case LOCK_UN:
        break;
    default:
        return -EINVAL;
    }
    return operation & LOCK_NB ? file_lock(file, &lock)
                               : lock_or_wait(file, &lock);
}
