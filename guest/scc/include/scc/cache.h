/* Cache geometry of a core and the instructions that act on its caches.
 *
 * The caches of two cores are not coherent: software decides when a line must
 * be written back (L1, L2) or dropped (MPBT lines in L1).
 */
#ifndef SCC_CACHE_H
#define SCC_CACHE_H

#define SCC_LINE_SIZE 32u
#define SCC_L1_SIZE 0x4000u
#define SCC_L2_SIZE 0x40000u

/* Drops every MPBT line in this core's L1, without write-back: the next read of
 * message memory fetches what others have written [intel-eas]. */
static inline void scc_cl1invmb(void)
{
    __asm__ volatile(".byte 0x0f, 0x0a" : : : "memory");
}

/* Time stamp counter: cycles of this tile's clock since the core started. */
static inline unsigned long long scc_cycles(void)
{
    unsigned long long value;

    __asm__ volatile("rdtsc" : "=A"(value));
    return value;
}

#endif
