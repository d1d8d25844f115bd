/*
 * SCC_API.c: the chip below RCCE by the original's names (private/SCC_API.h),
 * on the devices of SCC Linux. Each call is what the programs that use it
 * expect: a mapping of the page or of the buffer, and an end of the program
 * where there is none.
 */
#include "RCCE_lib.h"

#include "private/SCC_API.h"

#include <sys/mman.h>

static void *map(enum scc_memory memory, uint32_t physical, size_t bytes)
{
    void *place = rcce_map(memory, physical, bytes);

    if (!place) {
        perror("mmap");
        exit(-1);
    }
    return place;
}

/* rcce_map opens a device when it is first needed. */
void InitAPI(int messages)
{
    if ((unsigned)ReadConfigReg(CRB_OWN + MYTILEID) & SCC_CRB_TILEID_EXTENDED) {
        fprintf(stderr, "SCC_API: this chip is not the SCC: what SCC_API.h "
                        "gives addresses of is elsewhere on it\n");
        exit(-1);
    }
    if (messages)
        printf("The chip's registers and message buffers are there.\n");
}

int *MallocConfigReg(unsigned int address)
{
    unsigned within = address % SCC_PAGE;
    char *page = map(SCC_UNCACHED, address - within, SCC_PAGE);

    return (int *)(page + within);
}

void FreeConfigReg(int *pointer)
{
    munmap((void *)((uintptr_t)pointer & ~(uintptr_t)(SCC_PAGE - 1)), SCC_PAGE);
}

int ReadConfigReg(unsigned int address)
{
    int *place = MallocConfigReg(address);
    int value = *(volatile int *)place;

    FreeConfigReg(place);
    return value;
}

void SetConfigReg(unsigned int address, int value)
{
    int *place = MallocConfigReg(address);

    *(volatile int *)place = value;
    FreeConfigReg(place);
}

void MPBalloc(t_vcharp *mpb, int x, int y, int core, int own)
{
    (void)own;
    *mpb = NULL;
    if (x < 0 || x >= NUM_COLS || y < 0 || y >= NUM_ROWS || core < 0 ||
        core >= NUM_CORES)
        return;
    *mpb = map(SCC_MPBT, MPB_ADDR((unsigned)x, (unsigned)y, core), MPBSIZE);
}

void MPBunalloc(t_vcharp *mpb)
{
    munmap((void *)*mpb, MPBSIZE);
    *mpb = NULL;
}

void SHMalloc(t_vcharp *shared)
{
    *shared = map(SCC_UNCACHED, SHM_ADDR, SHMSIZE);
}

void SHMunalloc(t_vcharp *shared)
{
    munmap((void *)*shared, SHMSIZE);
    *shared = NULL;
}

int DCMflush(void)
{
    return rcce_flush_l2();
}
