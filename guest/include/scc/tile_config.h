/* Tile configuration registers: byte offsets in a CRB segment [intel-eas].
 *
 * All are 32 bits wide and must be reached by uncached 32-bit accesses.
 */
#ifndef SCC_TILE_CONFIG_H
#define SCC_TILE_CONFIG_H

#define SCC_GLCFG0 0x010u
#define SCC_GLCFG1 0x018u
#define SCC_L2CFG0 0x020u
#define SCC_L2CFG1 0x028u
#define SCC_GCBCFG 0x080u
#define SCC_TILEID 0x100u
#define SCC_LOCK0 0x200u
#define SCC_LOCK1 0x400u
#define SCC_LUT0 0x0800u
#define SCC_LUT1 0x1000u
#define SCC_LUT_ENTRY_STRIDE 8u

/* GCBCFG 11:8 holds the tile's clock divider minus one. */
#define SCC_GCBCFG_DIVIDER_SHIFT 8
#define SCC_GCBCFG_DIVIDER_MASK 0xFu

/* TILEID: which core of the tile is reading, and where the tile is. */
#define SCC_TILEID_CORE(value) ((value) & 7u)
#define SCC_TILEID_X(value) (((value) >> 3) & 15u)
#define SCC_TILEID_Y(value) (((value) >> 7) & 15u)

#endif
