/* Finding files in the shared folder: handles (fids), walks, symbolic
 * links, attributes. Absolute paths without "." and ".." come in (vfs.c).
 */
#include "abi/abi.h"
#include "drivers/drivers.h"
#include "files/files.h"
#include "files/p9.h"
#include "files/share.h"
#include "lib/string.h"
#include "lib/types.h"
#include "open_files/file.h"

#define FIDS_MAX 512u
#define LINKS_MAX 40u

/* What a fid is of: a fixed one is in a folder that nobody changes. */
enum { FID_FREE, FID_USED, FID_FIXED };
static OF_ALL_PROCESSES u8 fid_used[FIDS_MAX];

static s32 fid_new(u32 *fid)
{
    for (u32 n = ROOTS; n < FIDS_MAX; n++)
        if (fid_used[n] == FID_FREE) {
            fid_used[n] = FID_USED;
            *fid = n;
            return 0;
        }
    return -ENFILE;
}

void share_clunk(u32 fid)
{
    p9_start(T_CLUNK);
    p9_put_32(fid);
    p9_call();
    fid_used[fid] = FID_FREE;
}

bool share_fixed(u32 fid)
{
    return fid_used[fid] == FID_FIXED;
}

static const char *next_name(const char *path, u32 *length)
{
    while (*path == '/')
        path++;
    *length = 0;
    while (path[*length] && path[*length] != '/')
        *length += 1;
    return path;
}

/* One message: up to P9_WALK_MAX names of path[*reached..end) from one fid
 * to another. Moves *reached behind the last name that exists. */
static s32 walk_some(u32 from, u32 to, const char *path, u32 end, u32 *reached,
                     struct qid *qid)
{
    const char *name = path + *reached;
    const char *found = name;
    u32 count = 0;
    u32 length;
    u32 walked;
    s32 error;

    for (const char *p = name; count < P9_WALK_MAX; p += length) {
        p = next_name(p, &length);
        if (p >= path + end || length == 0)
            break;
        count++;
    }
    p9_start(T_WALK);
    p9_put_32(from);
    p9_put_32(to);
    p9_put_16(count);
    for (u32 n = 0; n < count; n++) {
        name = next_name(name, &length);
        p9_put_16(length);
        p9_put_bytes(name, length);
        name += length;
    }
    error = p9_call();
    if (error)
        return error;
    walked = p9_get_16();
    for (u32 n = 0; n < walked && n < count; n++) {
        p9_get_qid(qid);
        found = next_name(found, &length) + length;
    }
    *reached = (u32)(found - path);
    if (walked == count)
        return 0;
    return qid->type & P9_QID_DIRECTORY ? -ENOENT : -ENOTDIR;
}

/* Walks path[0..end) without following links. On an error *reached says
 * how far names exist, and qid is that of the last one. */
static s32 walk_names(const char *path, u32 end, u32 *fid, u32 *reached,
                      struct qid *qid)
{
    u32 from;
    u32 length;
    s32 error;

    *qid = (struct qid){.type = P9_QID_DIRECTORY};
    if (!mount_root(path, &from, reached))
        return -ENOENT;
    error = fid_new(fid);
    if (error)
        return error;
    if (from > 0)
        fid_used[*fid] = FID_FIXED;
    do {
        error = walk_some(from, *fid, path, end, reached, qid);
        if (error) {
            /* The server made no new fid, unless an earlier message did. */
            if (from == *fid)
                share_clunk(*fid);
            fid_used[*fid] = FID_FREE;
            return error;
        }
        from = *fid;
        (void)next_name(path + *reached, &length);
    } while (*reached < end && length > 0);
    return 0;
}

s32 share_clone(u32 fid, u32 *copy)
{
    struct qid qid;
    u32 reached = 0;
    s32 error = fid_new(copy);

    if (error)
        return error;
    error = walk_some(fid, *copy, "", 0, &reached, &qid);
    fid_used[*copy] = error ? FID_FREE : fid_used[fid];
    return error;
}

s32 share_read_link(u32 fid, char *target, u32 size)
{
    u32 length;
    s32 error;

    p9_start(T_READLINK);
    p9_put_32(fid);
    error = p9_call();
    if (error)
        return error;
    length = p9_get_16();
    if (length >= size)
        return -ENAMETOOLONG;
    memcpy(target, p9_get_bytes(length), length);
    target[length] = 0;
    return (s32)length;
}

/* Puts the target of the link that is path[0..end) in the link's place. A
 * relative target starts at the link's directory, an absolute one at the
 * root of the shared folder. */
static s32 splice(char *path, u32 end, const char *target)
{
    static char whole[PATH_MAX];
    u32 parent = end;

    while (parent > 0 && path[parent - 1] != '/')
        parent--;
    if (target[0] == '/')
        parent = 0;
    memcpy(whole, path, parent);
    if (parent + format_text(whole + parent, PATH_MAX - parent, "%s%s", target,
                             path + end) >=
        PATH_MAX)
        return -ENAMETOOLONG;
    memcpy(path, whole, PATH_MAX);
    path_normalise(path);
    return 0;
}

/* Walks the whole path, a buffer of PATH_MAX bytes; the caller owns *fid. A
 * name that is a symbolic link ends the server's walk: its target is put
 * into the path and the walk begins again. So the path is then the one to
 * which its links lead, also where nothing is there. */
s32 share_walk_links(char *path, bool follow, u32 *fid, struct qid *qid)
{
    static char target[PATH_MAX];

    for (u32 links = 0; links < LINKS_MAX; links++) {
        u32 length = string_length(path);
        u32 reached;
        s32 error = walk_names(path, length, fid, &reached, qid);
        bool link = qid->type & P9_QID_SYMLINK;

        if (!error && !(link && follow))
            return 0;
        if (error && !link)
            return error;
        if (error) {
            length = reached;
            error = walk_names(path, length, fid, &reached, qid);
            if (error)
                return error;
        }
        error = share_read_link(*fid, target, PATH_MAX);
        share_clunk(*fid);
        if (error >= 0)
            error = splice(path, length, target);
        if (error)
            return error;
    }
    return -ELOOP;
}

s32 share_walk(const char *path, bool follow, u32 *fid, struct qid *qid)
{
    static char work[PATH_MAX];

    string_copy(work, path, PATH_MAX);
    return share_walk_links(work, follow, fid, qid);
}

/* The directory that holds (or shall hold) the last name of the path, of
 * which something is to be changed. */
s32 share_walk_parent(const char *path, u32 *fid, const char **name)
{
    static char parent[PATH_MAX];
    struct qid qid;
    u32 end = string_length(path);
    s32 error;

    while (end > 0 && path[end - 1] != '/')
        end--;
    *name = path + end;
    if (!**name)
        return -EEXIST; /* the root */
    memcpy(parent, path, end);
    parent[end > 1 ? end - 1 : end] = 0;
    error = share_walk(parent, true, fid, &qid);
    if (!error && !(qid.type & P9_QID_DIRECTORY)) {
        share_clunk(*fid);
        return -ENOTDIR;
    }
    if (!error && share_fixed(*fid)) {
        share_clunk(*fid);
        return -EROFS;
    }
    return error;
}

s32 share_attributes(u32 fid, struct status *status)
{
    struct qid qid;
    s32 error;

    p9_start(T_GETATTR);
    p9_put_32(fid);
    p9_put_64(P9_GETATTR_BASIC);
    error = p9_call();
    if (error)
        return error;
    p9_get_64(); /* which fields are valid: all of the basic ones */
    p9_get_qid(&qid);
    *status = (struct status){.inode = qid.path};
    status->mode = p9_get_32();
    p9_get_32(); /* owner and group: everything belongs to the program */
    p9_get_32();
    status->links = (u32)p9_get_64();
    status->rdevice = (u32)p9_get_64();
    status->size = p9_get_64();
    status->block_size = (u32)p9_get_64();
    status->blocks = p9_get_64();
    status->atime = p9_get_64();
    p9_get_64();
    status->mtime = p9_get_64();
    p9_get_64();
    status->ctime = p9_get_64();
    return 0;
}

s32 share_status(const char *path, bool follow, struct status *status)
{
    struct qid qid;
    u32 fid;
    s32 error = share_walk(path, follow, &fid, &qid);

    if (error)
        return error;
    error = share_attributes(fid, status);
    share_clunk(fid);
    return error;
}
