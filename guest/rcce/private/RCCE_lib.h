/*
 * RCCE_lib.h: what programs of the chip's time take from the private header
 * of this name of the original library: who the cores are, where the message
 * buffers lie, and the one-sided calls in basic programs too. Names and types
 * are the original's, whose public sources programs were written against; the
 * variables are those of our library, to be read only.
 *
 * Not here: what only the original's own files used of it (its allocator's
 * blocks, its emulation by OpenMP, lines of bit flags).
 */
#ifndef RCCE_LIB_H
#define RCCE_LIB_H

#include <string.h>

#include "RCCE.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes in whole lines. */
#define PAD32byte(n) (((n) + 31) / 32 * 32)
#define BITSPERCHAR 8
#ifdef SINGLEBITFLAGS
#define RCCE_FLAGS_PER_BYTE 8
#else
#define RCCE_FLAGS_PER_BYTE 1
#endif
#define RCCE_FLAGS_PER_LINE (RCCE_LINE_SIZE * RCCE_FLAGS_PER_BYTE)

typedef volatile unsigned int *t_vintp;
typedef volatile unsigned char t_vchar;
typedef volatile unsigned int t_vint;

/* Filled in by RCCE_init: the own rank, how many UEs, the own core, the core
 * of each UE, the cores' clock in GHz. */
extern int RCCE_IAM;
extern int RCCE_NP;
extern int RC_MY_COREID;
extern int RC_COREID[RCCE_MAXNP];
extern double RC_REFCLOCKGHZ;

/* Where this core sees each UE's message buffer behind its first line, the
 * bytes of it, and the own first line: a store there pushes the write-combine
 * buffer. */
extern t_vcharp RCCE_comm_buffer[RCCE_MAXNP];
extern int RCCE_BUFF_SIZE;
extern t_vcharp RCCE_fool_write_combine_buffer;

#if !defined(GORY)
/* The part of the buffer that messages go through. */
extern t_vcharp RCCE_buff_ptr;
extern size_t RCCE_chunk;
#if !defined(SINGLEBITFLAGS)
/* By UE: raised by it when a chunk for this one is there (in the own MPB),
 * and by it when it has fetched one of this UE's. */
extern RCCE_FLAG RCCE_sent_flag[RCCE_MAXNP];
extern RCCE_FLAG RCCE_ready_flag[RCCE_MAXNP];
#endif
#endif

/* CL1INVMB: forgets the L1's copies of message buffers. */
void RC_cache_invalidate(void);
/* Where this core sees the first line of a UE's message buffer. */
t_vcharp RC_COMM_BUFFER_START(int ue);
/* Returns `error`; prints it first if `debug` is true and it is an error. */
int RCCE_error_return(int debug, int error);

#ifdef __cplusplus
}
#endif

#endif
