/* Numbers of the 9P2000.L protocol [garlick-9p2000l-2011]. */
#ifndef P9_H
#define P9_H

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

#define P9_QID_DIRECTORY 0x80u
#define P9_QID_SYMLINK 0x02u

#define P9_GETATTR_BASIC 0x7FFull
#define P9_SETATTR_MODE 0x001u
#define P9_SETATTR_SIZE 0x008u

extern u32 p9_data_max; /* what the server agreed to, without header */

#endif
