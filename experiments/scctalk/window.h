/*
 * window.h: core-physical addresses of the default LUT, mapped into the
 * program by the kernel's devices.
 */
#ifndef SCCTALK_WINDOW_H
#define SCCTALK_WINDOW_H

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define MPB_BASE 0xC0000000u
#define CRB_BASE 0xE0000000u
#define CRB_OWN 0xF8000000u
#define CRB_GLCFG 0x10 /* of core 0; core 1's is 8 further */
#define CRB_TILEID 0x100
#define GLCFG_INTR 2u

static inline volatile uint32_t *map_window(const char *device,
                                            uint32_t address, size_t bytes)
{
    int fd = open(device, O_RDWR | O_SYNC);
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                    (off_t)address);
    close(fd);
    return at == MAP_FAILED ? NULL : at;
}

/* notify.c: whom to interrupt. */
void window_of_partner(uint32_t core);

#endif
