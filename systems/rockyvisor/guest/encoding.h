/*
 * encoding.h: the bytes of instructions that the hypervisor must see. All files of
 * this guest are compiled with -include of this one: as a guest whose POPF and IRET
 * were replaced (../README.md), and with ROCKYVISOR_HYPERCALLS as one that calls its hypervisor.
 */
#ifdef ROCKYVISOR_HYPERCALLS
#include "hypercalls.h"
#else
#ifdef __ASSEMBLER__
#define ENCODED(name, code) \
    .macro name;            \
    code;                   \
    .endm;
#else
#define ENCODED(name, code) __asm__(".macro " #name "\n\t" #code "\n\t.endm");
#endif
ENCODED(popf, .byte 0x6C)
ENCODED(iret, .byte 0x6E)
ENCODED(safe_halt, sti; hlt)
#endif
