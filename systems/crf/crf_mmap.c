/*
 * crf_mmap.c: mmap for all threads: memory without a file, and what is read of
 * a file, lie in the shared heap. The kernel's own mappings are each core's.
 */
#include "crf_private.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SPARE 64u

static struct {
    char *at;
    uint32_t pages;
} spare[SPARE]; /* that this core has unmapped */

void *crf_kernel_mmap(void *at, size_t bytes, int protection, int flags, int fd,
                      uint32_t physical)
{
    return (void *)syscall(SYS_mmap2, at, bytes, protection, flags, fd,
                           physical / CRF_PAGE);
}

/* Zero, as the kernel's are. */
static char *take(uint32_t pages)
{
    for (uint32_t n = 0; n < SPARE; n++)
        if (spare[n].pages >= pages) {
            char *at = spare[n].at;

            spare[n].at += pages * CRF_PAGE;
            spare[n].pages -= pages;
            return memset(at, 0, pages * CRF_PAGE);
        }
    return crf_take_pages(pages, crf_my_rank);
}

/* Takes what touches these pages out of the table, and keeps all as one. */
static void keep(char *at, uint32_t pages)
{
    uint32_t to = SPARE;

    for (uint32_t n = 0; n < SPARE; n++) {
        if (spare[n].pages && spare[n].at + spare[n].pages * CRF_PAGE == at)
            at = spare[n].at;
        else if (spare[n].pages && at + pages * CRF_PAGE != spare[n].at)
            continue;
        pages += spare[n].pages;
        spare[n].pages = 0;
        to = n;
    }
    if (to < SPARE) {
        spare[to].at = at;
        spare[to].pages = pages;
    }
}

static int is_file(int fd)
{
    struct stat status;

    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

static int fill(char *at, size_t bytes, int fd, off_t from)
{
    ssize_t part = 1;

    for (size_t done = 0; done < bytes && part > 0; done += (size_t)part)
        part = pread(fd, at + done, bytes - done, from + (off_t)done);
    return part >= 0;
}

void *mmap(void *at, size_t bytes, int protection, int flags, int fd,
           off_t from)
{
    int of_file = !(flags & MAP_ANONYMOUS);
    int written = of_file && flags & MAP_SHARED && protection & PROT_WRITE;
    char *memory;

    if (!crf_control || flags & MAP_FIXED || bytes - 1 >= CRF_SHARED_MOST ||
        written || (of_file && !is_file(fd)))
        return crf_kernel_mmap(at, bytes, protection, flags, fd,
                               (uint32_t)from);
    memory = take((uint32_t)(bytes + CRF_PAGE - 1) / CRF_PAGE);
    if (!memory) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return of_file && !fill(memory, bytes, fd, from) ? MAP_FAILED : memory;
}

int munmap(void *at, size_t bytes)
{
    if (!crf_control || crf_page_of(at) == CRF_NO_PAGE)
        return (int)syscall(SYS_munmap, at, bytes);
    keep(at, (uint32_t)(bytes + CRF_PAGE - 1) / CRF_PAGE);
    return 0;
}
