/*
 * iRCCE_lib.h: what the files of the library share.
 *
 * Sends of a UE form one queue, because they share its message buffer: only
 * the first is under way. Receives form one queue for each source, and one
 * for those that take any source. iRCCE_isend_push and iRCCE_irecv_push go
 * on with the first of each queue until it has to wait.
 */
#ifndef IRCCE_LIB_H
#define IRCCE_LIB_H

#include "RCCE_lib.h"
#include "iRCCE.h"

/* iRCCE_init.c */
int ircce_check(void);

/* iRCCE_isend.c, iRCCE_irecv.c */
void ircce_push_sends(void);
void ircce_push_recvs(void);
void ircce_push(void);
void ircce_take_any(int source);
int ircce_expected(int source);
extern int ircce_length;

/* iRCCE_memcpy.c */
void ircce_copy(volatile void *target, const volatile void *source,
                size_t bytes, int load_target);

#endif
