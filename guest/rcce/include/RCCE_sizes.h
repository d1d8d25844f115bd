/*
 * RCCE_sizes.h: Clang warns of calls whose size is larger than the buffer,
 * where both are known when the program is compiled (an array, a variable).
 */
#ifndef RCCE_SIZES_H
#define RCCE_SIZES_H

#define RCCE_BEYOND(buffer, bytes)                                        \
    (__builtin_object_size((void *)(buffer), 0) != (__SIZE_TYPE__) - 1 && \
     (bytes) > 0 &&                                                       \
     __builtin_object_size((void *)(buffer), 0) < (__SIZE_TYPE__)(bytes))
#define RCCE_ELEMENT(type) ((type) == RCCE_DOUBLE ? 8 : 4)

#ifdef __has_attribute
#if __has_attribute(diagnose_if)
/* The call reads, or writes, this many bytes of its parameter. */
#define RCCE_READS(buffer, bytes)                                        \
    __attribute__((diagnose_if(                                          \
        RCCE_BEYOND(buffer, bytes),                                      \
        "the buffer is smaller than the size: bytes behind it are sent " \
        "(a size counts bytes: elements * sizeof(element))",             \
        "warning")))
#define RCCE_WRITES(buffer, bytes)                                          \
    __attribute__((                                                         \
        diagnose_if(RCCE_BEYOND(buffer, bytes),                             \
                    "the buffer is smaller than the size: bytes behind it " \
                    "are overwritten "                                      \
                    "(a size counts bytes: elements * sizeof(element))",    \
                    "warning")))
/* The root of a broadcast reads them, who receives it writes them. */
#define RCCE_CARRIES(buffer, bytes)                                         \
    __attribute__((                                                         \
        diagnose_if(RCCE_BEYOND(buffer, bytes),                             \
                    "the buffer is smaller than the size: bytes behind it " \
                    "are sent by the root and overwritten at the others "   \
                    "(a size counts bytes: elements * sizeof(element))",    \
                    "warning")))
/* As many elements of a type. */
#define RCCE_HOLDS(buffer, count, type)                                   \
    __attribute__((diagnose_if(                                           \
        (type) >= RCCE_TYPE_BASE && (type) <= RCCE_DOUBLE &&              \
            RCCE_BEYOND(buffer, (count) * RCCE_ELEMENT(type)),            \
        "the buffer is smaller than its number of elements of this type", \
        "warning")))
#endif
#endif

#ifndef RCCE_READS
#define RCCE_READS(buffer, bytes)
#define RCCE_WRITES(buffer, bytes)
#define RCCE_CARRIES(buffer, bytes)
#define RCCE_HOLDS(buffer, count, type)
#endif

#endif
