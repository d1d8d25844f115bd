/* RCCE_collectives.h of the second look (../calls.py): the library's own, and
 * macros. */
#include_next <RCCE_collectives.h>

#ifndef ROCKCREEK_COLLECTIVES_H
#define ROCKCREEK_COLLECTIVES_H

#include "RCCE.h"

#define RCCE_coll_bcast(buffer, size, ...) \
    (ROCKCREEK_SIZED(buffer, size),        \
     (RCCE_coll_bcast)(buffer, size, __VA_ARGS__))
#define RCCE_coll_reduce(in, out, count, type, ...) \
    (ROCKCREEK_REDUCED(in, out, count, type),       \
     (RCCE_coll_reduce)(in, out, count, type, __VA_ARGS__))
#define RCCE_coll_allreduce(in, out, count, type, ...) \
    (ROCKCREEK_REDUCED(in, out, count, type),          \
     (RCCE_coll_allreduce)(in, out, count, type, __VA_ARGS__))

#endif
