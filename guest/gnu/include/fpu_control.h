/*
 * fpu_control.h: the control word of the x87 (Intel's manual, volume 1, 8.1.5):
 * masks of exceptions, precision, rounding.
 */
#ifndef _FPU_CONTROL_H
#define _FPU_CONTROL_H

/* A set bit masks the exception. */
#define _FPU_MASK_IM 0x01 /* invalid operation */
#define _FPU_MASK_DM 0x02 /* denormal operand */
#define _FPU_MASK_ZM 0x04 /* division by zero */
#define _FPU_MASK_OM 0x08 /* overflow */
#define _FPU_MASK_UM 0x10 /* underflow */
#define _FPU_MASK_PM 0x20 /* inexact result */

#define _FPU_SINGLE 0x000
#define _FPU_DOUBLE 0x200
#define _FPU_EXTENDED 0x300

#define _FPU_RC_NEAREST 0x000
#define _FPU_RC_DOWN 0x400
#define _FPU_RC_UP 0x800
#define _FPU_RC_ZERO 0xC00

#define _FPU_RESERVED 0xF0C0
#define _FPU_DEFAULT 0x037F
#define _FPU_IEEE 0x037F

typedef unsigned int fpu_control_t __attribute__((__mode__(__HI__)));

#define _FPU_GETCW(word) __asm__ __volatile__("fnstcw %0" : "=m"(word))
#define _FPU_SETCW(word) __asm__ __volatile__("fldcw %0" : : "m"(word))

#endif
