/*
 * bits/gnu_unistd.h: system calls again where a signal interrupts them.
 */
#if defined _GNU_SOURCE || defined _BSD_SOURCE || defined _DEFAULT_SOURCE
#ifdef _GNU_SOURCE
#define TEMP_FAILURE_RETRY(expression)                                   \
    (__extension__({                                                     \
        long __result;                                                   \
        do                                                               \
            __result = (long)(expression);                               \
        while (__result == -1L && *__errno_location() == 4 /* EINTR */); \
        __result;                                                        \
    }))
#ifdef __cplusplus
extern "C"
#endif
    int *__errno_location(void);
#endif
#endif
