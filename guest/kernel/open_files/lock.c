/* Locks on bytes of files, by which programs of several cores keep out of each
 * other's way. They are known where the file is, not here; here is only
 * whether there may be one. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "lib/types.h"
#include "open_files/file.h"

/* Takes or gives back; -EAGAIN if somebody else's is in the way. What cannot
 * be locked says so: a lock that nobody sees would be none. */
s32 file_lock(struct file *file, const struct lock *lock)
{
    if (!file->ops->lock)
        return -ENOLCK;
    if (lock->type != F_UNLCK)
        file->locked = true;
    return file->ops->lock(file, lock);
}

/* At any close of a descriptor, even if the file stays open by another. */
void file_unlock(struct file *file)
{
    struct lock all = {F_UNLCK, 0, 0, 0};

    if (file->locked)
        file->ops->lock(file, &all);
    file->locked = false;
}
