/*
 * lock.c: which test-and-set registers this program has.
 */
#include "scc/lock.h"

uint8_t scc_held[SCC_MOST_CORES];
