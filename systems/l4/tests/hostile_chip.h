/*
 * hostile_chip.h: what hostile.c tries by pages of the chip: memory, registers,
 * message buffers.
 */
#ifndef TESTS_HOSTILE_CHIP_H
#define TESTS_HOSTILE_CHIP_H

#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "scc/host_channel.h"
#include "scc/memory_map.h"
#include "scc/registers.h"

#define OTHER 46 /* a core that nobody has started, on another tile */
#define OTHER_TILE (OTHER / 2u << 24) /* added to a base of windows */
#define KERNELS 0x00100000u           /* either kernel, in the core's memory */
#define PAGE 4096

/* What an attempt returns. */
#define REFUSED 0
#define REACHED 1

/* A page of a device, or a signal that says that there is none. */
static volatile unsigned char *page(const char *name, uint32_t physical)
{
    int fd = open(name, O_RDWR);
    void *at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                    (off_t)(physical & -(uint32_t)PAGE));

    close(fd);
    return at == MAP_FAILED ? NULL
                            : (volatile unsigned char *)at + physical % PAGE;
}

/* Whether bits of a word could be turned; they are turned back. */
static int turn(const char *device, uint32_t physical, uint32_t bits)
{
    volatile uint32_t *at = (volatile void *)page(device, physical);
    uint32_t old;
    int changed;

    if (!at)
        return REFUSED;
    old = *at;
    *at = old ^ bits;
    changed = *at == (old ^ bits);
    *at = old;
    return changed;
}

static int turn_register(uint32_t physical, uint32_t bits)
{
    return turn("/dev/rckncm", physical, bits);
}

/* Whether a word is written at all. */
static int store_register(uint32_t physical, uint32_t value)
{
    volatile uint32_t *at = (volatile void *)page("/dev/rckncm", physical);

    if (!at)
        return REFUSED;
    *at = value;
    return REACHED;
}

static int kernel_by_device(void)
{
    return turn("/dev/rckdcm", KERNELS, 0);
}

static int server_by_device(void)
{
    return turn("/dev/rckdcm", KERNELS + 0x100000, 0);
}

static int end_of_memory(void)
{
    return turn("/dev/rckdcm", 0x13F00000, 0);
}

static int kernel_uncached(void)
{
    return turn("/dev/rckncm", KERNELS, 0);
}

static int kernel_as_messages(void)
{
    return turn("/dev/rckmpb", KERNELS, 0);
}

/* Registers. */

static int own_lut(void)
{
    return turn_register(SCC_CRB_OWN + SCC_LUT_LUT0(0x60), 1);
}

static int own_lut1(void)
{
    return turn_register(SCC_CRB_OWN + SCC_LUT_LUT1(0x60), 1);
}

static int other_lut(void)
{
    return turn_register(SCC_CRB_BASE + OTHER_TILE + SCC_LUT_LUT0(0x60), 1);
}

static int other_reset(void)
{
    return turn_register(SCC_CRB_BASE + OTHER_TILE + SCC_CRB_GLCFG(0),
                         SCC_CRB_GLCFG_RS_N);
}

static int other_nmi(void)
{
    return turn_register(SCC_CRB_BASE + OTHER_TILE + SCC_CRB_GLCFG(0),
                         SCC_CRB_GLCFG_NMI);
}

static int other_clock(void)
{
    return turn_register(SCC_CRB_BASE + OTHER_TILE + SCC_CRB_GCBCFG, 0);
}

static int other_mask(void)
{
    return turn_register(SCC_FPGA_BASE + SCC_FPGA_GIC_MASK(2 * OTHER), 1);
}

static int in_others_name(void)
{
    return store_register(SCC_FPGA_BASE + SCC_FPGA_GIC_REQUEST(2 * OTHER), 0);
}

static int others_channel(void)
{
    return store_register(SCC_HOST_CHANNEL_OF(OTHER) + SCC_HOST_REPLY_ADDRESS,
                          KERNELS);
}

static int voltage(void)
{
    return store_register(0xFB000000, 0);
}

static int apic(void)
{
    return turn_register(0xFEE00080, 0x10);
}

static int others_buffer(void)
{
    return turn("/dev/rckmpb", SCC_MPB_BASE + OTHER_TILE, 0);
}

static int behind_buffer(void)
{
    return turn("/dev/rckmpb", SCC_MPB_BASE + 0x4000, 0);
}

#endif
