/*
 * shim.c: LD_PRELOAD: makes the host fail at the n-th call that concerns the
 * files below one folder (RCK_FAIL_UNDER), or at the n-th allocation of
 * RCK_FAIL_LEAST bytes or more that is made once rck's command has begun: what
 * the interpreter asks for before is none of rck's. RCK_FAIL_WHILE names a
 * variable of the environment: then only those count that are made while it
 * is set.
 *
 * RCK_FAIL_KIND is write, read, open, rename, sync or allocation; RCK_FAIL_AT
 * the number of the call that fails (0: none), RCK_FAIL_ERROR its errno.
 * With RCK_FAIL_STAYS all later ones fail as well, as on a full disk. How many
 * there were is added to the file RCK_FAIL_COUNT, a line a process.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* The first files that rck reads where it answers for a failure. */
#define COMMAND "/app."
#define WORKER "/point."

static const char *under, *kind, *meanwhile;
static long at, count;
static int error, stays, is_ours;
static size_t under_length, least;

/* glibc's own: dlsym asks for memory, too. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t many, size_t size);
void *__libc_realloc(void *place, size_t size);
void *__libc_memalign(size_t even, size_t size);

__attribute__((constructor)) static void start(void)
{
    const char *text;

    under = getenv("RCK_FAIL_UNDER");
    kind = getenv("RCK_FAIL_KIND");
    meanwhile = getenv("RCK_FAIL_WHILE");
    under_length = under ? strlen(under) : 0;
    at = (text = getenv("RCK_FAIL_AT")) ? atol(text) : 0;
    error = (text = getenv("RCK_FAIL_ERROR")) ? atoi(text) : EIO;
    stays = getenv("RCK_FAIL_STAYS") != NULL;
    least = (text = getenv("RCK_FAIL_LEAST")) ? (size_t)atol(text) : 1;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("RCK_FAIL_COUNT");
    char line[32];
    int file;

    if (!path || !kind)
        return;
    file = (int)syscall(SYS_openat, AT_FDCWD, path,
                        O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (file < 0)
        return;
    snprintf(line, sizeof line, "%ld\n", count);
    syscall(SYS_write, file, line, strlen(line));
    syscall(SYS_close, file);
}

/* As rck ends: the C library's destructors are not called. */
void _exit(int code)
{
    end();
    syscall(SYS_exit_group, code);
    __builtin_unreachable();
}

/* Whether this call is one of those that are counted, and is to fail. */
static int fails(const char *what)
{
    long number;

    if (!kind || strcmp(kind, what) != 0)
        return 0;
    if (meanwhile && !getenv(meanwhile))
        return 0;
    number = __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
    if (!at || (stays ? number < at : number != at))
        return 0;
    errno = error;
    return 1;
}

static int is_under(const char *path)
{
    return under && path && strncmp(path, under, under_length) == 0;
}

static int fd_is_under(int fd)
{
    char name[64], path[PATH_MAX];
    ssize_t length;

    if (!under || fd < 0)
        return 0;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    length = readlink(name, path, sizeof path - 1);
    if (length <= 0)
        return 0;
    path[length] = 0;
    return is_under(path);
}

/* A relative path is below the folder that its descriptor is. */
static int place_is_under(int folder, const char *path)
{
    char here[PATH_MAX];

    if (!path || path[0] == '/')
        return is_under(path);
    if (folder != AT_FDCWD)
        return fd_is_under(folder);
    return getcwd(here, sizeof here) && is_under(here);
}

static int no_memory(size_t size)
{
    return (is_ours || meanwhile) && size >= least && fails("allocation");
}

/* Whether this call is about the folder; and whether rck has begun. */
static int counts(int folder, const char *path)
{
    if (!is_ours && path && strstr(path, "/rockcreek/"))
        is_ours = strstr(path, COMMAND) || strstr(path, WORKER);
    return place_is_under(folder, path);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *data, size_t size)
{
    if (fd_is_under(fd) && fails("write"))
        return -1;
    return NEXT(write)(fd, data, size);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t place)
{
    if (fd_is_under(fd) && fails("write"))
        return -1;
    return NEXT(pwrite64)(fd, data, size, place);
}

ssize_t writev(int fd, const struct iovec *parts, int many)
{
    if (fd_is_under(fd) && fails("write"))
        return -1;
    return NEXT(writev)(fd, parts, many);
}

int ftruncate64(int fd, off64_t size)
{
    if (fd_is_under(fd) && fails("write"))
        return -1;
    return NEXT(ftruncate64)(fd, size);
}

ssize_t read(int fd, void *data, size_t size)
{
    if (fd_is_under(fd) && fails("read"))
        return -1;
    return NEXT(read)(fd, data, size);
}

ssize_t pread64(int fd, void *data, size_t size, off64_t place)
{
    if (fd_is_under(fd) && fails("read"))
        return -1;
    return NEXT(pread64)(fd, data, size, place);
}

#define OPEN(name)                                   \
    int name(const char *path, int flags, ...)       \
    {                                                \
        mode_t mode;                                 \
        va_list list;                                \
                                                     \
        va_start(list, flags);                       \
        mode = va_arg(list, mode_t);                 \
        va_end(list);                                \
        if (counts(AT_FDCWD, path) && fails("open")) \
            return -1;                               \
        return NEXT(name)(path, flags, mode);        \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                       \
    int name(int folder, const char *path, int flags, ...) \
    {                                                      \
        mode_t mode;                                       \
        va_list list;                                      \
                                                           \
        va_start(list, flags);                             \
        mode = va_arg(list, mode_t);                       \
        va_end(list);                                      \
        if (counts(folder, path) && fails("open"))         \
            return -1;                                     \
        return NEXT(name)(folder, path, flags, mode);      \
    }
OPENAT(openat)
OPENAT(openat64)

int mkdir(const char *path, mode_t mode)
{
    if (place_is_under(AT_FDCWD, path) && fails("open"))
        return -1;
    return NEXT(mkdir)(path, mode);
}

int rename(const char *from, const char *to)
{
    if (place_is_under(AT_FDCWD, to) && fails("rename"))
        return -1;
    return NEXT(rename)(from, to);
}

int renameat(int a, const char *from, int b, const char *to)
{
    if (place_is_under(b, to) && fails("rename"))
        return -1;
    return NEXT(renameat)(a, from, b, to);
}

int linkat(int a, const char *from, int b, const char *to, int flags)
{
    if (place_is_under(b, to) && fails("rename"))
        return -1;
    return NEXT(linkat)(a, from, b, to, flags);
}

int fsync(int fd)
{
    if (fd_is_under(fd) && fails("sync"))
        return -1;
    return NEXT(fsync)(fd);
}

int fdatasync(int fd)
{
    if (fd_is_under(fd) && fails("sync"))
        return -1;
    return NEXT(fdatasync)(fd);
}

void *mmap64(void *place, size_t size, int rights, int flags, int fd,
             off64_t from)
{
    if (flags & MAP_ANONYMOUS && no_memory(size))
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, place, size, rights, flags, fd, from);
}

void *mmap(void *place, size_t size, int rights, int flags, int fd, off_t from)
{
    return mmap64(place, size, rights, flags, fd, from);
}

void *malloc(size_t size)
{
    return no_memory(size) ? NULL : __libc_malloc(size);
}

void *calloc(size_t many, size_t size)
{
    return no_memory(many * size) ? NULL : __libc_calloc(many, size);
}

void *realloc(void *place, size_t size)
{
    return no_memory(size) ? NULL : __libc_realloc(place, size);
}

void *aligned_alloc(size_t even, size_t size)
{
    return no_memory(size) ? NULL : __libc_memalign(even, size);
}

int posix_memalign(void **place, size_t even, size_t size)
{
    *place = aligned_alloc(even, size);
    return *place ? 0 : ENOMEM;
}
