/* iRCCE.h of the second look (../calls.py): iRCCE's own, and macros. */
#include_next <iRCCE.h>

#ifndef ROCKCREEK_IRCCE_H
#define ROCKCREEK_IRCCE_H

#include "RCCE.h"

#define iRCCE_isend(buffer, size, ...) \
    (ROCKCREEK_SIZED(buffer, size), (iRCCE_isend)(buffer, size, __VA_ARGS__))
#define iRCCE_issend(buffer, size, ...) \
    (ROCKCREEK_SIZED(buffer, size), (iRCCE_issend)(buffer, size, __VA_ARGS__))
#define iRCCE_irecv(buffer, size, ...) \
    (ROCKCREEK_SIZED(buffer, size), (iRCCE_irecv)(buffer, size, __VA_ARGS__))
#define iRCCE_isrecv(buffer, size, ...) \
    (ROCKCREEK_SIZED(buffer, size), (iRCCE_isrecv)(buffer, size, __VA_ARGS__))
#define iRCCE_ssend(buffer, size, ue) \
    (ROCKCREEK_SIZED(buffer, size), (iRCCE_ssend)(buffer, size, ue))
#define iRCCE_srecv(buffer, size, ue) \
    (ROCKCREEK_SIZED(buffer, size), (iRCCE_srecv)(buffer, size, ue))
#ifndef SINGLEBITFLAGS
#define iRCCE_bcast(buffer, size, ...) \
    (ROCKCREEK_SIZED(buffer, size), (iRCCE_bcast)(buffer, size, __VA_ARGS__))
#endif

#endif
