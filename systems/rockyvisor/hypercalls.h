/*
 * hypercalls.h: the calls of a guest that knows its hypervisor, by INT, with
 * `hypercalls` on the hypervisor's command line. In a file that is compiled or
 * assembled with -include of this one, each instruction of ring 0 that is most often executed or
 * that would not trap in ring 1 is such a call, of two bytes, where its name stands.
 */
#ifndef ROCKYVISOR_HYPERCALLS_H
#define ROCKYVISOR_HYPERCALLS_H

/* Vectors that no exception of a P54C has. They are numbers in text, since the
 * assembler reads them behind `$`. */
#define HYPERCALL_FIRST 0x19
#define HYPERCALL_CLI 0x19
#define HYPERCALL_STI 0x1A
#define HYPERCALL_SAFE_HALT \
    0x1B /* STI and HLT, and no interrupt between them */
#define HYPERCALL_IRET 0x1C
#define HYPERCALL_POPF 0x1D
#define HYPERCALL_CPUID 0x1E
#define HYPERCALL_PAUSE 0x1F
#define HYPERCALL_LAST 0x1F

#ifdef ROCKYVISOR_HYPERCALLS
#ifdef __ASSEMBLER__
#define HYPERCALL_NAMED(name, vector) \
    .macro name;                      \
    int $vector;                      \
    .endm;
#else
#define HYPERCALL_NAMED(name, vector) \
    __asm__(".macro " #name "\n\tint $" #vector "\n\t.endm");
#endif
#define HYPERCALL_IS(name, vector) HYPERCALL_NAMED(name, vector)
HYPERCALL_IS(cli, HYPERCALL_CLI)
HYPERCALL_IS(sti, HYPERCALL_STI)
HYPERCALL_IS(safe_halt, HYPERCALL_SAFE_HALT)
HYPERCALL_IS(iret, HYPERCALL_IRET)
HYPERCALL_IS(popf, HYPERCALL_POPF)
HYPERCALL_IS(popfl, HYPERCALL_POPF)
HYPERCALL_IS(cpuid, HYPERCALL_CPUID)
HYPERCALL_IS(pause, HYPERCALL_PAUSE)
#endif

#endif
