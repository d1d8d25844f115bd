/*
 * map.c: the kernel's devices.
 */
#include "scc/map.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Where the device of message memory shows all buffers one after the other;
 * only pages that are touched cost anything. */
#define ALL_BUFFERS 0x100000000ll

static const char *const names[] = {
    [SCC_UNCACHED] = "/dev/rckncm",
    [SCC_MPBT] = "/dev/rckmpb",
    [SCC_CACHED] = "/dev/rckdcm",
};
static int devices[] = {-1, -1, -1};

static int device(enum scc_memory memory)
{
    if (devices[memory] < 0)
        devices[memory] = open(names[memory], O_RDWR | O_SYNC | O_CLOEXEC);
    return devices[memory];
}

void scc_map_close(void)
{
    for (int memory = 0; memory < 3; memory++) {
        if (devices[memory] >= 0)
            close(devices[memory]);
        devices[memory] = -1;
    }
}

static int flags_for(enum scc_at how)
{
    switch (how) {
    case SCC_THERE:
        return MAP_SHARED | MAP_FIXED;
    case SCC_IF_FREE:
        return MAP_SHARED | MAP_FIXED_NOREPLACE;
    default:
        return MAP_SHARED;
    }
}

void *scc_map_at(enum scc_memory memory, uint32_t physical, size_t bytes,
                 void *at, enum scc_at how, int protection)
{
    int fd = device(memory);
    void *mapped = fd < 0 ? MAP_FAILED
                          : mmap(at, bytes, protection, flags_for(how), fd,
                                 (off_t)physical);

    return mapped == MAP_FAILED ? NULL : mapped;
}

void *scc_map(enum scc_memory memory, uint32_t physical, size_t bytes)
{
    return scc_map_at(memory, physical, bytes, NULL, SCC_ANYWHERE,
                      PROT_READ | PROT_WRITE);
}

void *scc_map_all_buffers(int last_core)
{
    size_t bytes = (size_t)(last_core + 1) * SCC_MPB_SIZE_PER_CORE;
    int fd = device(SCC_MPBT);
    void *mapped = fd < 0 ? MAP_FAILED
                          : mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                 MAP_SHARED, fd, ALL_BUFFERS);

    return mapped == MAP_FAILED ? NULL : mapped;
}

int scc_flush_l2(void)
{
    int fd = device(SCC_CACHED);

    return fd >= 0 && write(fd, "", 0) == 0;
}
