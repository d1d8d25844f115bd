/* emulate.h: opcodes, register bits and functions that the files of emulate/
 * share. */
#ifndef ROCKYVISOR_EMULATE_H
#define ROCKYVISOR_EMULATE_H

#include "emulate/decode.h"

#define OP_POP_SS 0x17
#define OP_MOV_SEGMENT 0x8E
#define OP_IRET 0xCF
/* The opcodes that replace POPF, IRET, CPUID and PAUSE in a guest's code, and the
 * second bytes that replace those of instructions beginning with 0F 00, 01, 02
 * and 03. No kernel uses these opcodes, and all of them trap in ring 1. */
#define OP_POPF 0x6C
#define OP_IRET_REPLACED 0x6E
#define OP2_CPUID 0xA6
#define OP2_PAUSE 0x0C /* both bytes are new */
#define OP2_TASK 0x04
#define OP2_TABLES 0xA7
#define OP2_RIGHTS 0x05
#define OP2_LIMIT 0x07

#define GATE_RING 0x6000u

/* Bits of the features that CPUID returns. */
#define ID_VME 0x2u
#define ID_DE 0x4u
#define ID_PSE 0x8u
#define ID_MCE 0x80u

bool table_instruction(struct vcpu *v, struct instruction *i);
u32 control_read(const struct vcpu *v, u32 number);
bool control_write(struct vcpu *v, u32 number, u32 value);
u32 service_read(u32 offset);
void service_write(struct vcpu *v, u32 offset, u32 value);
void console_out(const u8 *bytes, u32 count);
bool model_register(struct vcpu *v, bool write);

#endif
