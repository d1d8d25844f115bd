/*
 * crf_files.c: files that any thread may use, whichever core has opened them.
 *
 * Descriptors are the program's: a file gets a number that no other core has
 * used, and the table off-die says which file it is and where the next byte
 * is read or written. A core that meets a number for the first time opens the
 * file itself. Devices and the standard streams are each core's.
 */
#include "crf_files.h"

#include "crf_private.h"
#include "pages/pages.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PLACES (CRF_FILES + CRF_STREAMS)

static uint32_t known[PLACES]; /* which file this core has as that number */

uint32_t crf_file_place(uint32_t fd)
{
    if (fd < CRF_STREAMS)
        return CRF_FILES + fd;
    if (fd >= CRF_FIRST_FILE && fd < CRF_FIRST_FILE + CRF_FILES)
        return fd - CRF_FIRST_FILE;
    return PLACES;
}

struct crf_file *crf_file(uint32_t fd)
{
    return &crf_control->file[crf_file_place(fd)];
}

int crf_file_is_shared(uint32_t fd)
{
    return crf_file_place(fd) < PLACES && crf_file(fd)->used;
}

/* The kernel keeps its own standard streams: a file in the place of one has
 * another number there. */
static uint32_t kernels_number(uint32_t fd)
{
    return fd < CRF_STREAMS ? CRF_FIRST_FILE + CRF_FILES + fd : fd;
}

static volatile uint32_t *offset_of(uint32_t fd)
{
    return &crf_control->opening[crf_file(fd)->opening].offset;
}

static int32_t call(uint32_t number, uint32_t first, uint32_t second,
                    uint32_t third)
{
    const struct crf_call words = {
        .number = number, .first = first, .second = second, .third = third};

    return crf_kernel_call(&words);
}

void crf_file_rename(uint32_t fd, int32_t opened)
{
    uint32_t number = kernels_number(fd);

    if ((uint32_t)opened != number) {
        call(SYS_dup2, (uint32_t)opened, number, 0);
        call(SYS_close, (uint32_t)opened, 0, 0);
    }
    known[crf_file_place(fd)] = crf_file(fd)->used;
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

uint32_t crf_file_free(uint32_t least)
{
    uint32_t first = least > CRF_FIRST_FILE ? least : CRF_FIRST_FILE;

    for (uint32_t fd = first; fd < CRF_FIRST_FILE + CRF_FILES; fd++)
        if (!crf_file(fd)->used)
            return fd;
    return CRF_NO_FILE;
}

void crf_file_share(uint32_t fd, const struct crf_file *other)
{
    struct crf_file *file = crf_file(fd);

    file->end = other->end;
    file->flags = other->flags;
    file->opening = other->opening;
    for (uint32_t n = 0; n < CRF_PATH; n++)
        file->path[n] = other->path[n];
    crf_control->opening[file->opening].numbers++;
    file->used = ++crf_control->files_opened;
}

void crf_file_forget(uint32_t fd)
{
    crf_control->opening[crf_file(fd)->opening].numbers--;
    crf_file(fd)->used = 0;
    known[crf_file_place(fd)] = 0;
}

/* There are as many as numbers. */
uint32_t crf_file_opening(void)
{
    uint32_t n = 0;

    while (crf_control->opening[n].numbers)
        n++;
    crf_control->opening[n].numbers = 1;
    crf_control->opening[n].offset = 0;
    return n;
}

static int32_t shared_open(const struct crf_call *open)
{
    int at = open->number == SYS_openat;
    const char *name = (const char *)(at ? open->second : open->first);
    uint32_t flags = at ? open->third : open->second, fd;
    int32_t opened = crf_kernel_call(open);

    crf_say_opened(name, flags, opened);
    if (opened < 3 || crf_all_ranks == 1 || !is_regular(opened) ||
        strlen(name) >= CRF_PATH / 2)
        return opened;
    crf_guard(CRF_FILES_GUARD);
    fd = crf_file_free(0);
    if (fd != CRF_NO_FILE) {
        crf_file(fd)->end = 0;
        crf_file(fd)->flags = flags & ~(uint32_t)(O_CREAT | O_EXCL | O_TRUNC);
        crf_file(fd)->opening = crf_file_opening();
        full_name(crf_file(fd)->path, name);
        crf_file(fd)->used = ++crf_control->files_opened;
    }
    crf_unguard(CRF_FILES_GUARD);
    if (fd == CRF_NO_FILE)
        return opened;
    crf_file_rename(fd, opened);
    return (int32_t)fd;
}

/* Another core has opened the file. */
static void open_here(uint32_t fd)
{
    char path[CRF_PATH];
    int32_t opened;

    if (known[crf_file_place(fd)] == crf_file(fd)->used)
        return;
    for (uint32_t n = 0; n < CRF_PATH; n++)
        path[n] = crf_file(fd)->path[n];
    opened = call(SYS_open, (uint32_t)path, crf_file(fd)->flags, 0);
    if (opened >= 0)
        crf_file_rename(fd, opened);
    else
        crf_say_unseen(path);
}

/* Where the last one that used the file has left it. */
static int32_t at_the_offset(uint32_t fd, const struct crf_call *words)
{
    uint32_t number = words->first;
    int32_t result;

    crf_guard(CRF_FILES_GUARD);
    call(SYS_lseek, number, *offset_of(fd), SEEK_SET);
    result = crf_kernel_call(words);
    *offset_of(fd) = (uint32_t)call(SYS_lseek, number, 0, SEEK_CUR);
    crf_unguard(CRF_FILES_GUARD);
    return result;
}

void crf_file_drop(uint32_t fd)
{
    struct crf_end *end = (struct crf_end *)crf_file(fd)->end;

    crf_guard(CRF_FILES_GUARD);
    if (crf_control->opening[crf_file(fd)->opening].numbers > 1)
        end = NULL;
    crf_file_forget(fd);
    crf_unguard(CRF_FILES_GUARD);
    if (end)
        crf_end_close(end);
}

int32_t crf_file_close(uint32_t fd, const struct crf_call *words)
{
    crf_file_drop(fd);
    return crf_kernel_call(words);
}

static int moves_the_offset(const struct crf_call *words)
{
    switch (words->number) {
    case SYS_read:
    case SYS_readv:
    case SYS_write:
    case SYS_writev:
    case SYS_lseek:
    case SYS__llseek:
        return 1;
    default:
        return 0;
    }
}

/* A file's, on this core. */
static int32_t here(uint32_t fd, const struct crf_call *words)
{
    open_here(fd);
    if (moves_the_offset(words))
        return at_the_offset(fd, words);
    return words->number == SYS_close ? crf_file_close(fd, words)
                                      : crf_kernel_call(words);
}

/* Calls whose first argument is a descriptor. */
static int is_of_a_file(const struct crf_call *words)
{
    if (moves_the_offset(words))
        return crf_file_is_shared(words->first);
    switch (words->number) {
    case SYS_statx:
        return crf_file_is_fstat(words) && crf_file_is_shared(words->first);
    case SYS_pread64:
    case SYS_pwrite64:
    case SYS_preadv:
    case SYS_pwritev:
    case SYS_fallocate:
    case SYS_fchmod:
    case SYS_flock:
    case SYS_fstatfs64:
    case SYS_fstat64:
    case SYS_ftruncate:
    case SYS_ftruncate64:
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_fcntl64:
    case SYS_ioctl:
    case SYS_close:
    case SYS_dup:
        return crf_file_is_shared(words->first);
    default:
        return 0;
    }
}

int32_t crf_file_call(const struct crf_call *words)
{
    struct crf_call kernels = *words;
    int32_t result;

    if (words->number == SYS_open || words->number == SYS_openat)
        return shared_open(words);
    if (words->number == SYS_dup2 || words->number == SYS_dup3)
        return crf_dup_to(words);
    if (crf_pipe_call(words, &result))
        return result;
    if (!is_of_a_file(words))
        return crf_kernel_call(words);
    if (crf_is_dup(words))
        return crf_dup(words, words->number == SYS_dup ? 0 : words->third);
    kernels.first = kernels_number(words->first);
    return here(words->first, &kernels);
}

int crf_file_answer(int32_t result)
{
    if (result >= 0)
        return result;
    errno = -result;
    return -1;
}
