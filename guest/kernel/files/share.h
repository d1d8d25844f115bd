/* The shared folder of the host. */
#ifndef FILES_SHARE_H
#define FILES_SHARE_H

#include "lib/types.h"

struct file;
struct qid;
struct status;

/* mount.c: the roots of all shares have the first fids. */
#define ROOTS 16u
void share_init(void);
bool mount_root(const char *path, u32 *fid, u32 *end);

/* share.c */
s32 share_open(const char *path, u32 flags, u32 mode, struct file **out);

/* share_walk.c */
s32 share_walk_links(char *path, bool follow, u32 *fid, struct qid *qid);
s32 share_walk(const char *path, bool follow, u32 *fid, struct qid *qid);
s32 share_walk_parent(const char *path, u32 *fid, const char **name);
s32 share_clone(u32 fid, u32 *copy);
void share_clunk(u32 fid);
bool share_fixed(u32 fid);
s32 share_read_link(u32 fid, char *target, u32 size);
s32 share_attributes(u32 fid, struct status *status);
s32 share_status(const char *path, bool follow, struct status *status);

/* share_name.c */
s32 share_make_directory(const char *path, u32 mode);
s32 share_unlink(const char *path, bool directory);
s32 share_rename(const char *from, const char *to);
s32 share_symlink(const char *target, const char *path);
s32 share_readlink(const char *path, char *target, u32 size);
s32 share_link(const char *from, const char *to);
s32 share_set(u32 fid, u32 valid, u32 mode, u64 size);
s32 share_change(const char *path, u32 valid, u32 mode, u64 size);
struct space {
    u64 blocks, free, files, files_free;
    u32 block_size;
};
s32 share_space(struct space *space);

#endif
