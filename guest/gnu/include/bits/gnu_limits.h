/*
 * bits/gnu_limits.h: lines of a terminal.
 */
#if defined _GNU_SOURCE || defined _BSD_SOURCE || defined _DEFAULT_SOURCE
#define MAX_CANON 255
#define MAX_INPUT 255
#endif
