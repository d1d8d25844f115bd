/* Changes to names and attributes in the shared folder. */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "files/p9.h"
#include "files/share.h"
#include "lib/types.h"

s32 share_make_directory(const char *path, u32 mode)
{
    const char *name;
    u32 fid;
    s32 error = share_walk_parent(path, &fid, &name);

    if (error)
        return error;
    p9_start(T_MKDIR);
    p9_put_32(fid);
    p9_put_string(name);
    p9_put_32(mode);
    p9_put_32(0); /* group */
    error = p9_call();
    share_clunk(fid);
    return error;
}

s32 share_unlink(const char *path, bool directory)
{
    const char *name;
    u32 fid;
    s32 error = share_walk_parent(path, &fid, &name);

    if (error)
        return error;
    p9_start(T_UNLINKAT);
    p9_put_32(fid);
    p9_put_string(name);
    p9_put_32(directory ? AT_REMOVEDIR : 0);
    error = p9_call();
    share_clunk(fid);
    return error;
}

s32 share_rename(const char *from, const char *to)
{
    const char *old_name;
    const char *new_name;
    u32 old_fid;
    u32 new_fid;
    s32 error = share_walk_parent(from, &old_fid, &old_name);

    if (error)
        return error;
    error = share_walk_parent(to, &new_fid, &new_name);
    if (!error) {
        p9_start(T_RENAMEAT);
        p9_put_32(old_fid);
        p9_put_string(old_name);
        p9_put_32(new_fid);
        p9_put_string(new_name);
        error = p9_call();
        share_clunk(new_fid);
    }
    share_clunk(old_fid);
    return error;
}

s32 share_symlink(const char *target, const char *path)
{
    const char *name;
    u32 fid;
    s32 error = share_walk_parent(path, &fid, &name);

    if (error)
        return error;
    p9_start(T_SYMLINK);
    p9_put_32(fid);
    p9_put_string(name);
    p9_put_string(target);
    p9_put_32(0); /* group */
    error = p9_call();
    share_clunk(fid);
    return error;
}

s32 share_link(const char *from, const char *to)
{
    const char *name;
    struct qid qid;
    u32 directory;
    u32 fid;
    s32 error = share_walk(from, false, &fid, &qid);

    if (error)
        return error;
    error = share_walk_parent(to, &directory, &name);
    if (!error) {
        p9_start(T_LINK);
        p9_put_32(directory);
        p9_put_32(fid);
        p9_put_string(name);
        error = p9_call();
        share_clunk(directory);
    }
    share_clunk(fid);
    return error;
}

s32 share_readlink(const char *path, char *target, u32 size)
{
    struct qid qid;
    u32 fid;
    s32 result = share_walk(path, false, &fid, &qid);

    if (result)
        return result;
    result = -EINVAL;
    if (qid.type & P9_QID_SYMLINK)
        result = share_read_link(fid, target, size);
    share_clunk(fid);
    return result;
}

/* Changes the attributes named by valid. */
s32 share_set(u32 fid, u32 valid, u32 mode, u64 size)
{
    if (share_fixed(fid))
        return -EROFS;
    p9_start(T_SETATTR);
    p9_put_32(fid);
    p9_put_32(valid);
    p9_put_32(mode);
    p9_put_32(0); /* owner */
    p9_put_32(0); /* group */
    p9_put_64(size);
    for (u32 n = 0; n < 4; n++)
        p9_put_64(0); /* times */
    return p9_call();
}

s32 share_change(const char *path, u32 valid, u32 mode, u64 size)
{
    struct qid qid;
    u32 fid;
    s32 error = share_walk(path, true, &fid, &qid);

    if (error)
        return error;
    error = share_set(fid, valid, mode, size);
    share_clunk(fid);
    return error;
}

s32 share_space(struct space *space)
{
    struct qid qid;
    u32 fid;
    s32 error = share_walk("/", true, &fid, &qid);

    if (error)
        return error;
    p9_start(T_STATFS);
    p9_put_32(fid);
    error = p9_call();
    if (!error) {
        p9_get_32(); /* type */
        space->block_size = p9_get_32();
        space->blocks = p9_get_64();
        space->free = p9_get_64();
        p9_get_64(); /* available to others than root: the same */
        space->files = p9_get_64();
        space->files_free = p9_get_64();
    }
    share_clunk(fid);
    return error;
}
