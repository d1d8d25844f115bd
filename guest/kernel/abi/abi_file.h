/* i386 Linux numbers and structures of files, directories and terminals. */
#ifndef ABI_ABI_FILE_H
#define ABI_ABI_FILE_H

#include "lib/types.h"

#define O_ACCMODE 03u
#define O_RDONLY 00u
#define O_WRONLY 01u
#define O_RDWR 02u
#define O_CREAT 0100u
#define O_EXCL 0200u
#define O_TRUNC 01000u
#define O_APPEND 02000u
#define O_NONBLOCK 04000u
#define O_ASYNC 020000u
#define O_DIRECTORY 0200000u
#define O_NOFOLLOW 0400000u
#define O_CLOEXEC 02000000u
#define O_PATH 010000000u

#define S_IFMT 0170000u
#define S_IFIFO 0010000u
#define S_IFCHR 0020000u
#define S_IFDIR 0040000u
#define S_IFREG 0100000u
#define S_IFLNK 0120000u
#define S_IFSOCK 0140000u

#define AT_FDCWD (-100)
#define AT_SYMLINK_NOFOLLOW 0x100u
#define AT_REMOVEDIR 0x200u
#define AT_EMPTY_PATH 0x1000u

#define F_DUPFD 0u
#define F_GETFD 1u
#define F_SETFD 2u
#define F_GETFL 3u
#define F_SETFL 4u
#define F_GETLK 5u
#define F_SETLK 6u
#define F_SETLKW 7u
#define F_SETOWN 8u
#define F_GETOWN 9u
#define F_GETLK64 12u
#define F_SETLK64 13u
#define F_SETLKW64 14u
#define F_DUPFD_CLOEXEC 1030u
#define FD_CLOEXEC 1u
#define F_RDLCK 0
#define F_WRLCK 1
#define F_UNLCK 2

#define LOCK_SH 1u
#define LOCK_EX 2u
#define LOCK_NB 4u
#define LOCK_UN 8u

/* A lock as fcntl has it: F_SETLK and its relatives, and those with 64. */
struct flock {
    s16 type, whence;
    s32 start, length;
    s32 process;
};

struct flock64 {
    s16 type, whence;
    s64 start, length;
    s32 process;
} __attribute__((packed));

#define POLLIN 0x001u
#define POLLOUT 0x004u
#define POLLERR 0x008u
#define POLLHUP 0x010u
#define POLLNVAL 0x020u
#define POLLRDNORM 0x040u
#define POLLWRNORM 0x100u

#define TCGETS 0x5401u
#define TCSETS 0x5402u
#define TCSETSW 0x5403u
#define TCSETSF 0x5404u
#define TIOCGPGRP 0x540Fu
#define TIOCGWINSZ 0x5413u
#define FIONREAD 0x541Bu
#define FIONBIO 0x5421u

struct iovec {
    u32 base;
    u32 length;
};

struct pollfd {
    s32 fd;
    u16 events;
    u16 revents;
};

struct termios {
    u32 input, output, control, local;
    u8 line;
    u8 characters[19];
};

struct winsize {
    u16 rows, columns, x, y;
};

struct stat32 {
    u32 device;
    u32 inode;
    u16 mode, links, uid, gid;
    u32 rdevice;
    u32 size;
    u32 block_size;
    u32 blocks;
    u32 atime, atime_ns, mtime, mtime_ns, ctime, ctime_ns;
    u32 unused[2];
};

struct stat64 {
    u64 device;
    u32 padding0;
    u32 inode_low;
    u32 mode, links, uid, gid;
    u64 rdevice;
    u32 padding1;
    u32 size_low, size_high; /* the kernel's layout packs it at offset 44 */
    u32 block_size;
    u64 blocks;
    u32 atime, atime_ns, mtime, mtime_ns, ctime, ctime_ns;
    u64 inode;
} __attribute__((packed, aligned(4)));

struct statx_time {
    s64 seconds;
    u32 nanoseconds;
    u32 padding;
};

struct statx {
    u32 mask;
    u32 block_size;
    u64 attributes;
    u32 links, uid, gid;
    u16 mode, padding0;
    u64 inode, size, blocks, attributes_mask;
    struct statx_time atime, btime, ctime, mtime;
    u32 rdevice_major, rdevice_minor, device_major, device_minor;
    u64 padding1[14];
} __attribute__((packed, aligned(4)));

#define STATX_BASIC 0x7FFu

struct statfs64 {
    u32 type;
    u32 block_size;
    u64 blocks, blocks_free, blocks_available, files, files_free;
    u32 id[2];
    u32 name_length;
    u32 fragment_size;
    u32 flags;
    u32 spare[4];
} __attribute__((packed, aligned(4)));

struct statfs32 {
    u32 type, block_size, blocks, blocks_free, blocks_available;
    u32 files, files_free, id[2], name_length, fragment_size, flags;
    u32 spare[4];
};

_Static_assert(sizeof(struct stat32) == 64, "i386 struct stat");
_Static_assert(sizeof(struct stat64) == 96, "i386 struct stat64");
_Static_assert(sizeof(struct statx) == 256, "struct statx");
_Static_assert(sizeof(struct statfs64) == 84, "i386 struct statfs64");

#endif
