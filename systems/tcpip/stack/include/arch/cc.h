/* cc.h: what lwIP demands of each port: the compiler's and C library's names
 * for random numbers, messages and failed assertions. */
#ifndef ARCH_CC_H
#define ARCH_CC_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#define LWIP_ERRNO_STDINCLUDE 1
#define LWIP_TIMEVAL_PRIVATE 0
#define LWIP_RAND() ((u32_t)rand())
#define LWIP_PLATFORM_DIAG(words) \
    do {                          \
        printf words;             \
    } while (0)
#define LWIP_PLATFORM_ASSERT(words)             \
    do {                                        \
        fprintf(stderr, "lwip: %s\n", (words)); \
        abort();                                \
    } while (0)

#endif
