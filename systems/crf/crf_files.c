/*
 * crf_files.c: files that any thread may use, whichever core has opened them.
 *
 * Descriptors are the program's: a file gets a number that no other core has
 * used, and the table off-die says which file it is and where the next byte
 * is read or written. A core that meets a number for the first time opens the
 * file itself. Devices and the standard streams are each core's.
 */
#include "crf_private.h"
#include "pages/pages.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FIRST 16u
#define GUARD 9u /* a test-and-set register, by number */

static uint32_t known[CRF_FILES]; /* which file this core has as that number */

static struct crf_file *file(uint32_t fd)
{
    return &crf_control->file[fd - FIRST];
}

static int is_shared(uint32_t fd)
{
    return fd >= FIRST && fd < FIRST + CRF_FILES && file(fd)->used;
}

static int32_t call(uint32_t number, uint32_t first, uint32_t second,
                    uint32_t third)
{
    const struct crf_call words = {
        .number = number, .first = first, .second = second, .third = third};

    return crf_kernel_call(&words);
}

/* As the number of the table. */
static void rename_to(uint32_t fd, int32_t opened)
{
    if ((uint32_t)opened != fd) {
        call(SYS_dup2, (uint32_t)opened, fd, 0);
        call(SYS_close, (uint32_t)opened, 0, 0);
    }
    known[fd - FIRST] = file(fd)->used;
}

static int is_regular(int32_t opened)
{
    struct stat status;
    int error = errno, regular;

    regular = fstat(opened, &status) == 0 && S_ISREG(status.st_mode);
    errno = error;
    return regular;
}

static void full_name(volatile char *to, const char *name)
{
    char text[CRF_PATH] = "";

    if (name[0] != '/') {
        call(SYS_getcwd, (uint32_t)text, CRF_PATH, 0);
        if (text[strlen(text) ? strlen(text) - 1 : 0] != '/')
            strcat(text, "/");
    }
    strncat(text, name, CRF_PATH - strlen(text) - 1);
    for (uint32_t n = 0; n < CRF_PATH; n++)
        to[n] = text[n];
}

/* Under the guard. */
static uint32_t free_number(void)
{
    for (uint32_t fd = FIRST; fd < FIRST + CRF_FILES; fd++)
        if (!file(fd)->used)
            return fd;
    return 0;
}

static int32_t shared_open(const struct crf_call *open)
{
    int at = open->number == SYS_openat;
    const char *name = (const char *)(at ? open->second : open->first);
    uint32_t flags = at ? open->third : open->second, fd;
    int32_t opened = crf_kernel_call(open);

    if (opened < 3 || crf_all_ranks == 1 || !is_regular(opened) ||
        strlen(name) >= CRF_PATH / 2)
        return opened;
    crf_guard(GUARD);
    fd = free_number();
    if (fd) {
        file(fd)->owner = 0;
        file(fd)->flags = flags & ~(uint32_t)(O_CREAT | O_EXCL | O_TRUNC);
        file(fd)->offset = 0;
        full_name(file(fd)->path, name);
        file(fd)->used = ++crf_control->files_opened;
    }
    crf_unguard(GUARD);
    if (!fd)
        return opened;
    rename_to(fd, opened);
    return (int32_t)fd;
}

/* Another core has opened the file. */
static void open_here(uint32_t fd)
{
    char path[CRF_PATH];
    int32_t opened;

    if (known[fd - FIRST] == file(fd)->used)
        return;
    for (uint32_t n = 0; n < CRF_PATH; n++)
        path[n] = file(fd)->path[n];
    opened = call(SYS_open, (uint32_t)path, file(fd)->flags, 0);
    if (opened >= 0)
        rename_to(fd, opened);
}

/* Where the last one that used the file has left it. */
static int32_t at_the_offset(const struct crf_call *words)
{
    uint32_t fd = words->first;
    int32_t result;

    crf_guard(GUARD);
    call(SYS_lseek, fd, file(fd)->offset, SEEK_SET);
    result = crf_kernel_call(words);
    file(fd)->offset = (uint32_t)call(SYS_lseek, fd, 0, SEEK_CUR);
    crf_unguard(GUARD);
    return result;
}

static int32_t shared_close(const struct crf_call *words)
{
    file(words->first)->used = 0;
    known[words->first - FIRST] = 0;
    return crf_kernel_call(words);
}

/* The kernel of one core has the pipe. */
static int32_t pipe_call(const struct crf_call *words)
{
    uint32_t owner = file(words->first)->owner;

    if (owner != (uint32_t)crf_my_rank + 1)
        crf_fail("use a queue in memory, with a mutex and a condition",
                 "descriptor %u is an end of a pipe that a thread on core %d "
                 "made: a pipe is its core's",
                 (unsigned)words->first, crf_core_of[owner - 1]);
    if (words->number == SYS_close)
        return shared_close(words);
    return crf_kernel_call(words);
}

int32_t crf_file_call(const struct crf_call *words)
{
    if (words->number == SYS_open || words->number == SYS_openat)
        return shared_open(words);
    if (!is_shared(words->first))
        return crf_kernel_call(words);
    if (file(words->first)->owner)
        return pipe_call(words);
    switch (words->number) {
    case SYS_read:
    case SYS_readv:
    case SYS_write:
    case SYS_writev:
    case SYS_lseek:
    case SYS__llseek:
        open_here(words->first);
        return at_the_offset(words);
    case SYS_pread64:
    case SYS_pwrite64:
    case SYS_fstat64:
    case SYS_ftruncate:
    case SYS_ftruncate64:
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_fcntl64:
    case SYS_ioctl:
    case SYS_dup:
    case SYS_dup2:
        open_here(words->first);
        return crf_kernel_call(words);
    case SYS_close:
        return shared_close(words);
    default:
        return crf_kernel_call(words);
    }
}

/* These two of the C library ask the kernel by themselves. */
static int answer(int32_t result)
{
    if (result >= 0)
        return result;
    errno = -result;
    return -1;
}

int close(int fd)
{
    const struct crf_call words = {.number = SYS_close, .first = (uint32_t)fd};

    return answer(crf_file_call(&words));
}

/* A number that no other core uses; the pipe is its kernel's. */
static int name_end(int end)
{
    uint32_t fd;

    crf_guard(GUARD);
    fd = free_number();
    if (fd) {
        file(fd)->owner = (uint32_t)crf_my_rank + 1;
        file(fd)->used = ++crf_control->files_opened;
    }
    crf_unguard(GUARD);
    if (!fd)
        return end;
    rename_to(fd, end);
    return (int)fd;
}

int pipe(int ends[2])
{
    int error = answer(call(SYS_pipe, (uint32_t)ends, 0, 0));

    for (int n = 0; n < 2 && !error && crf_all_ranks > 1; n++)
        ends[n] = name_end(ends[n]);
    return error;
}
