/* cr0.h: the bits of CR0 [intel-sdm], for C and assembly. */
#ifndef COMMON_CR0_H
#define COMMON_CR0_H

#define CR0_PE 0x00000001
#define CR0_MP 0x00000002
#define CR0_TS 0x00000008
#define CR0_ET 0x00000010
#define CR0_NE 0x00000020
#define CR0_WP 0x00010000
#define CR0_AM 0x00040000
#define CR0_PG 0x80000000

#endif
