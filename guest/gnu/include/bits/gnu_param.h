/*
 * bits/gnu_param.h: what Linux's asm/param.h says.
 */
#if defined _GNU_SOURCE || defined _BSD_SOURCE || defined _DEFAULT_SOURCE
#ifndef HZ
#define HZ 100
#endif
#ifndef EXEC_PAGESIZE
#define EXEC_PAGESIZE 4096
#endif
#define NODEV ((dev_t) - 1)
#endif
