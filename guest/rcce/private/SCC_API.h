/*
 * SCC_API.h: the chip's registers, message buffers and shared memory for
 * programs that go below RCCE, by the names of the original's header, on the
 * devices of SCC Linux. Addresses are core-physical, for the default LUT.
 *
 * A call that the kernel refuses prints why and ends the program, as there.
 */
#ifndef SCC_API_H
#define SCC_API_H

#include "scc/memory_map.h"
#include "scc/registers.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NUM_ROWS 4
#define NUM_COLS 6
#define NUM_CORES 2

/* Configuration registers: the own tile's, a tile's, and what is in them. */
#define CRB_OWN SCC_CRB_OWN
#define CRB_X0_Y0 SCC_CRB_BASE
#define CRB_ADDR(x, y) \
    (CRB_X0_Y0 + ((x) + NUM_COLS * (y)) * (unsigned)SCC_CRB_BASE_STRIDE)
#define GLCFG0 SCC_CRB_GLCFG(0)
#define GLCFG1 SCC_CRB_GLCFG(1)
#define L2CFG0 SCC_CRB_L2CFG(0)
#define L2CFG1 SCC_CRB_L2CFG(1)
#define SENSOR SCC_CRB_SENSOR
#define GCBCFG SCC_CRB_GCBCFG
#define TILEDIVIDER GCBCFG
#define MYTILEID SCC_CRB_TILEID
#define LOCK0 SCC_CRB_LOCK(0)
#define LOCK1 SCC_CRB_LOCK(1)
#define LUT0 SCC_LUT_LUT0(0)
#define LUT1 SCC_LUT_LUT1(0)
/* Bits of GLCFG: the core's pins. */
#define GLCFG_XNMI_BIT 0
#define GLCFG_XINTR_BIT 1
#define GLCFG_XINIT_BIT 2
/* The voltage regulator's command register. */
#define RPC_BASE SCC_VRC_BASE

/* Message buffers: bytes of a core's, the own tile's, a core's. */
#define MPBADDRBITS 13
#define MPBSIZE (1 << MPBADDRBITS)
#define MPB_OWN SCC_MPB_OWN
#define MPB_X0_Y0 SCC_MPB_BASE
#define MPB_ADDR(x, y, core)                           \
    (MPB_X0_Y0 + ((x) + NUM_COLS * (y)) * 0x1000000u + \
     MPBSIZE * (unsigned)(core))

/* Off-chip shared memory of the default LUT. */
#define SHM_ADDR SCC_SHARED_BASE
#define SHMSIZE SCC_SHARED_SIZE

/* Tiles and cores by number. */
#define TID(x, y) ((y) << 4 | (x))
#define X_TID(tid) ((tid) & 0x0f)
#define Y_TID(tid) ((tid) >> 4)
#define PID(x, y, core) (NUM_CORES * (NUM_COLS * (y) + (x)) + (core))
#define Z_PID(pid) ((pid) % NUM_CORES)
#define X_PID(pid) ((pid) / NUM_CORES % NUM_COLS)
#define Y_PID(pid) ((pid) / NUM_CORES / NUM_COLS)

/* Opens the devices; comes first. Says so if `messages`. Ends the program on
 * a chip that is not the SCC. */
void InitAPI(int messages);
/* One access to a register; maps its page and unmaps it again. */
int ReadConfigReg(unsigned int address);
void SetConfigReg(unsigned int address, int value);
/* A pointer to a register, uncached, for many accesses. */
int *MallocConfigReg(unsigned int address);
void FreeConfigReg(int *pointer);
/* The message buffer of a core, MPBT. `own` changes nothing: the way past the
 * mesh is not to be trusted. NULL for a core that is not there. */
void MPBalloc(volatile unsigned char **mpb, int x, int y, int core, int own);
void MPBunalloc(volatile unsigned char **mpb);
/* All of the shared memory, uncached. */
void SHMalloc(volatile unsigned char **shared);
void SHMunalloc(volatile unsigned char **shared);
/* Flushes L1 and L2; 1. */
int DCMflush(void);

#ifdef __cplusplus
}
#endif

#endif
