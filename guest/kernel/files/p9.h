/* 9P2000.L [garlick-9p2000l-2011]: its numbers, and how a message is put
 * together and its reply taken apart. */
#ifndef FILES_P9_H
#define FILES_P9_H

#include "lib/types.h"

enum {
    T_STATFS = 8,
    T_LOPEN = 12,
    T_LCREATE = 14,
    T_SYMLINK = 16,
    T_READLINK = 22,
    T_GETATTR = 24,
    T_SETATTR = 26,
    T_READDIR = 40,
    T_FSYNC = 50,
    T_LOCK = 52,
    T_GETLOCK = 54,
    T_LINK = 70,
    T_MKDIR = 72,
    T_RENAMEAT = 74,
    T_UNLINKAT = 76,
    T_VERSION = 100,
    T_ATTACH = 104,
    T_WALK = 110,
    T_READ = 116,
    T_WRITE = 118,
    T_CLUNK = 120,
};

#define P9_NO_TAG 0xFFFFu
#define P9_NO_FID 0xFFFFFFFFu
#define P9_NO_USER 0xFFFFFFFFu
#define P9_VERSION "9P2000.L"

/* Largest message asked for: 64 KB of data and its header. */
#define P9_DATA_MAX 65536u
#define P9_HEADER_MAX 24u
#define P9_WALK_MAX 16u

#define P9_LOCK_GRANTED 0u

#define P9_QID_DIRECTORY 0x80u
#define P9_QID_SYMLINK 0x02u

#define P9_GETATTR_BASIC 0x7FFull
#define P9_SETATTR_MODE 0x001u
#define P9_SETATTR_SIZE 0x008u

extern u32 p9_data_max; /* what the server agreed to, without header */

struct qid {
    u8 type;
    u64 path;
};

void p9_start(u8 type);
void p9_put_8(u32 value);
void p9_put_16(u32 value);
void p9_put_32(u32 value);
void p9_put_64(u64 value);
void p9_put_string(const char *text);
void p9_put_bytes(const void *bytes, u32 length);
s32 p9_call(void);
u32 p9_get_8(void);
u32 p9_get_16(void);
u32 p9_get_32(void);
u64 p9_get_64(void);
void p9_get_qid(struct qid *qid);
const u8 *p9_get_bytes(u32 length);
u32 p9_left(void);

#endif
