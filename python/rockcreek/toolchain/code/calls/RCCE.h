/* RCCE.h of the second look (../calls.py): RCCE's own, and macros behind it. */
#include_next <RCCE.h>

#ifndef ROCKCREEK_RCCE_H
#define ROCKCREEK_RCCE_H

#include "bare.h"

/* Clang finds a tag by a literal value alone. */
#undef RCCE_INT
#undef RCCE_LONG
#undef RCCE_FLOAT
#undef RCCE_DOUBLE
#define RCCE_INT 63636363
#define RCCE_LONG 63636364
#define RCCE_FLOAT 63636365
#define RCCE_DOUBLE 63636366

#define ROCKCREEK_TAG(type) \
    __attribute__((unused, type_tag_for_datatype(rcce, type)))
static const int rockcreek_int ROCKCREEK_TAG(int) = RCCE_INT;
static const int rockcreek_long ROCKCREEK_TAG(long) = RCCE_LONG;
static const int rockcreek_float ROCKCREEK_TAG(float) = RCCE_FLOAT;
static const int rockcreek_double ROCKCREEK_TAG(double) = RCCE_DOUBLE;

int rockcreek_reduced(const volatile void *in, const volatile void *out,
                      int count, int type)
    __attribute__((pointer_with_type_tag(rcce, 1, 4),
                   pointer_with_type_tag(rcce, 2, 4)));
#define ROCKCREEK_REDUCED(in, out, count, type) \
    rockcreek_reduced(ROCKCREEK_BARE(in), ROCKCREEK_BARE(out), count, type)

#define RCCE_put(to, from, size, ue)                         \
    (ROCKCREEK_SIZED(to, size), ROCKCREEK_SIZED(from, size), \
     (RCCE_put)(to, from, size, ue))
#define RCCE_get(to, from, size, ue)                         \
    (ROCKCREEK_SIZED(to, size), ROCKCREEK_SIZED(from, size), \
     (RCCE_get)(to, from, size, ue))

#ifndef GORY
#define RCCE_send(buffer, size, ue) \
    (ROCKCREEK_SIZED(buffer, size), (RCCE_send)(buffer, size, ue))
#define RCCE_recv(buffer, size, ue) \
    (ROCKCREEK_SIZED(buffer, size), (RCCE_recv)(buffer, size, ue))
#define RCCE_recv_test(buffer, size, ...) \
    (ROCKCREEK_SIZED(buffer, size), (RCCE_recv_test)(buffer, size, __VA_ARGS__))
#define RCCE_bcast(buffer, size, ...) \
    (ROCKCREEK_SIZED(buffer, size), (RCCE_bcast)(buffer, size, __VA_ARGS__))
#define RCCE_reduce(in, out, count, type, ...) \
    (ROCKCREEK_REDUCED(in, out, count, type),  \
     (RCCE_reduce)(in, out, count, type, __VA_ARGS__))
#define RCCE_allreduce(in, out, count, type, ...) \
    (ROCKCREEK_REDUCED(in, out, count, type),     \
     (RCCE_allreduce)(in, out, count, type, __VA_ARGS__))
#endif

#endif
