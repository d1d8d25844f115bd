/*
 * gomp.h: the functions of GNU's library that the files of this folder share.
 */
#ifndef CRF_GOMP_H
#define CRF_GOMP_H

#include <stdbool.h>

#include "../openmp.h"

void GOMP_parallel_start(void (*function)(void *), void *data,
                         unsigned threads);
void GOMP_parallel_end(void);
void GOMP_barrier(void);

#endif
