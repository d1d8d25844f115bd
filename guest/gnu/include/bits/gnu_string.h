/*
 * bits/gnu_string.h: copies of strings on the stack.
 */
#if defined _GNU_SOURCE || defined _BSD_SOURCE || defined _DEFAULT_SOURCE
#if defined _GNU_SOURCE && defined __GNUC__
#define strndupa(string, most)                               \
    (__extension__({                                         \
        const char *__from = (string);                       \
        size_t __length = strnlen(__from, (most));           \
        char *__to = (char *)__builtin_alloca(__length + 1); \
        __to[__length] = '\0';                               \
        (char *)memcpy(__to, __from, __length);              \
    }))
#endif
#endif
