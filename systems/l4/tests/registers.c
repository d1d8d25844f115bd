/*
 * registers.c (test_run.py): a program that must not reach other cores'
 * registers, LUTs and memory; the argument says what it tries.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "scc/registers.h"

static volatile unsigned *device(const char *name, unsigned physical)
{
    int fd = open(name, O_RDWR);
    void *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                      (off_t)physical);

    if (fd < 0 || page == MAP_FAILED)
        exit(2);
    return page;
}

static volatile unsigned *registers(unsigned physical)
{
    return device("/dev/rckncm", physical);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    volatile unsigned *own = registers(SCC_CRB_OWN);
    volatile unsigned *other = registers(SCC_CRB_BASE + (5u << 24));
    unsigned lock = SCC_CRB_LOCK(0) / 4;

    if (!strcmp(what, "lut"))
        own[SCC_LUT_LUT0(0x10) / 4] = 0;
    else if (!strcmp(what, "lut1"))
        own[SCC_LUT_LUT1(0x10) / 4] = 0;
    else if (!strcmp(what, "reset"))
        other[SCC_CRB_GLCFG(0) / 4] ^= SCC_CRB_GLCFG_RS_N;
    else if (!strcmp(what, "nmi"))
        other[SCC_CRB_GLCFG(0) / 4] |= SCC_CRB_GLCFG_NMI;
    else if (!strcmp(what, "clock"))
        other[SCC_CRB_GCBCFG / 4] = 0;
    else if (!strcmp(what, "channel"))
        *(registers(SCC_HOST_CHANNEL) + SCC_HOST_CHANNEL_STRIDE / 4) = 1;
    else if (!strcmp(what, "gic"))
        registers(SCC_FPGA_BASE +
                  0xD000)[(SCC_FPGA_GIC_MASK(90) - 0xD000) / 4] = 0;
    else if (!strcmp(what, "kernel"))
        *device("/dev/rckdcm", 0x00100000) = 1;
    else if (!strcmp(what, "apic"))
        *registers(0xFEE00000) = 1;
    else if (!strcmp(what, "instruction"))
        __asm__ volatile("lock; adcl $1, (%0)" : : "r"(other) : "memory");
    if (*what) {
        printf("%s: it went through\n", what);
        return 3;
    }
    printf("tile %u, free %u, taken %u\n", own[SCC_CRB_TILEID / 4] & 7,
           other[lock] & SCC_CRB_LOCK_FREE, other[lock] & SCC_CRB_LOCK_FREE);
    other[lock] = 0;
    printf("free %u\n", ((volatile unsigned char *)other)[SCC_CRB_LOCK(0)] & 1);
    other[lock] = 0;
    printf("LUT %x\n", own[SCC_LUT_LUT0(0) / 4] != 0);
    return 0;
}
