/* i386 Linux numbers that programs pass to, or expect from, every group of
 * system calls: errors, limits and small structures. */
#ifndef ABI_ABI_H
#define ABI_ABI_H

#include "lib/types.h"

#define EPERM 1
#define ENOENT 2
#define ESRCH 3
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define E2BIG 7
#define ENOEXEC 8
#define EBADF 9
#define ECHILD 10
#define EAGAIN 11
#define ENOMEM 12
#define EACCES 13
#define EFAULT 14
#define EBUSY 16
#define EEXIST 17
#define EXDEV 18
#define ENODEV 19
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define ENOTTY 25
#define EFBIG 27
#define ENOSPC 28
#define ESPIPE 29
#define EROFS 30
#define EPIPE 32
#define ERANGE 34
#define ENAMETOOLONG 36
#define ENOLCK 37
#define ENOSYS 38
#define ENOTEMPTY 39
#define ELOOP 40
#define ENOTSOCK 88
#define EMSGSIZE 90
#define ENOPROTOOPT 92
#define EPROTONOSUPPORT 93
#define ESOCKTNOSUPPORT 94
#define EOPNOTSUPP 95
#define EAFNOSUPPORT 97
#define ETIMEDOUT 110
#define ECONNREFUSED 111
/* Inside the kernel: EINTR, or the call is made again if the signal's action
 * has SA_RESTART. */
#define ERESTART 512

#define PATH_MAX 1024

/* Memory. */
#define PROT_READ 1u
#define PROT_WRITE 2u
#define PROT_EXEC 4u

#define MAP_SHARED 0x01u
#define MAP_PRIVATE 0x02u
#define MAP_TYPE 0x0Fu
#define MAP_FIXED 0x10u
#define MAP_ANONYMOUS 0x20u
#define MAP_FIXED_NOREPLACE 0x100000u

#define MREMAP_MAYMOVE 1u
#define MREMAP_FIXED 2u

#define MADV_DONTNEED 4u

/* Time: the old structures hold 32-bit seconds, the new ones 64-bit. */
struct timespec32 {
    s32 seconds;
    s32 nanoseconds;
};

struct timespec64 {
    s64 seconds;
    u32 nanoseconds;
    u32 padding;
};

struct timeval32 {
    s32 seconds;
    s32 microseconds;
};

struct itimerval32 {
    struct timeval32 interval;
    struct timeval32 value;
};

#define CLOCK_REALTIME 0u
#define CLOCK_MONOTONIC 1u
#define CLOCK_PROCESS_CPUTIME 2u
#define CLOCK_THREAD_CPUTIME 3u
#define CLOCK_REALTIME_COARSE 5u
#define CLOCK_BOOTTIME 7u
#define CLOCK_REALTIME_ALARM 8u
#define CLOCK_BOOTTIME_ALARM 9u
#define CLOCK_TAI 11u
#define CLOCK_LAST CLOCK_TAI
#define TIMER_ABSTIME 1u

/* The auxiliary vector that the program finds above its environment. */
#define AT_NULL 0
#define AT_PHDR 3
#define AT_PHENT 4
#define AT_PHNUM 5
#define AT_PAGESZ 6
#define AT_BASE 7
#define AT_ENTRY 9
#define AT_UID 11
#define AT_EUID 12
#define AT_GID 13
#define AT_EGID 14
#define AT_PLATFORM 15
#define AT_HWCAP 16
#define AT_CLKTCK 17
#define AT_SECURE 23
#define AT_RANDOM 25
#define AT_EXECFN 31

/* set_thread_area */
struct user_desc {
    u32 entry;
    u32 base;
    u32 limit;
    u32 flags;
};

/* Flags of a descriptor. Contents: 0 data, 1 data that expands down, 2 code, 3
 * conforming code. */
#define DESC_32_BIT 0x01u
#define DESC_CONTENTS 0x06u
#define DESC_READ_EXEC_ONLY 0x08u
#define DESC_LIMIT_IN_PAGES 0x10u
#define DESC_NOT_PRESENT 0x20u
#define DESC_USEABLE 0x40u
#define DESC_ALL 0x7Fu

#endif
