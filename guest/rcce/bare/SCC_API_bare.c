/*
 * SCC_API_bare.c: private/SCC_API.h without an operating system: addresses
 * are what they are, and nobody ends a program that runs on another chip.
 */
#include "../RCCE_lib.h"

#include "../private/SCC_API.h"

void InitAPI(int messages)
{
    (void)messages;
    if ((unsigned)ReadConfigReg(CRB_OWN + MYTILEID) & SCC_CRB_TILEID_EXTENDED)
        printf("SCC_API: this chip is not the SCC: what SCC_API.h gives "
               "addresses of is elsewhere on it\n");
}

int *MallocConfigReg(unsigned int address)
{
    return (int *)(uintptr_t)address;
}

void FreeConfigReg(int *pointer)
{
    (void)pointer;
}

int ReadConfigReg(unsigned int address)
{
    return *(volatile int *)MallocConfigReg(address);
}

void SetConfigReg(unsigned int address, int value)
{
    *(volatile int *)MallocConfigReg(address) = value;
}

void MPBalloc(t_vcharp *mpb, int x, int y, int core, int own)
{
    int there = x >= 0 && x < NUM_COLS && y >= 0 && y < NUM_ROWS && core >= 0 &&
                core < NUM_CORES;

    (void)own;
    *mpb = there ? (t_vcharp)(uintptr_t)MPB_ADDR((unsigned)x, (unsigned)y, core)
                 : NULL;
}

void MPBunalloc(t_vcharp *mpb)
{
    *mpb = NULL;
}

void SHMalloc(t_vcharp *shared)
{
    *shared = (t_vcharp)SHM_ADDR;
}

void SHMunalloc(t_vcharp *shared)
{
    *shared = NULL;
}

int DCMflush(void)
{
    return rcce_flush_l2();
}
