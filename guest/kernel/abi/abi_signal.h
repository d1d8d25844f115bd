/* i386 Linux numbers and structures of signals; the frame on the stack. */
#ifndef ABI_ABI_SIGNAL_H
#define ABI_ABI_SIGNAL_H

#include "lib/types.h"

#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGNALS 64
#define FIRST_OF_REAL_TIME 32 /* from here on signals are queued */

#define SIG_DFL 0u
#define SIG_IGN 1u
#define SIG_BLOCK 0u
#define SIG_UNBLOCK 1u
#define SIG_SETMASK 2u

#define SA_SIGINFO 0x00000004u
#define SA_RESTORER 0x04000000u
#define SA_ONSTACK 0x08000000u
#define SA_RESTART 0x10000000u
#define SA_NODEFER 0x40000000u
#define SA_RESETHAND 0x80000000u

#define SS_ONSTACK 1u
#define SS_DISABLE 2u

#define CLD_EXITED 1
#define CLD_KILLED 2
#define SI_USER 0
#define SI_KERNEL 0x80
#define SI_TKILL (-6)
#define SI_TIMER (-2)
#define ILL_ILLOPN 2
#define FPE_INTDIV 1
#define FPE_INTOVF 2
#define FPE_FLTDIV 3
#define FPE_FLTOVF 4
#define FPE_FLTUND 5
#define FPE_FLTRES 6
#define FPE_FLTINV 7
#define SEGV_MAPERR 1
#define SEGV_ACCERR 2
#define BUS_ADRALN 1
#define BUS_ADRERR 2
#define TRAP_BRKPT 1
#define TRAP_TRACE 2
#define POLL_IN 1

struct sigaction {
    u32 handler;
    u32 flags;
    u32 restorer;
    u32 mask[2];
};

struct siginfo {
    s32 number;
    s32 error;
    s32 code;
    u32 fields[29]; /* fault: address; kill: pid, uid */
};

struct sigstack {
    u32 base;
    u32 flags;
    u32 size;
};

/* FNSAVE's 108 bytes, then what Linux adds. */
struct fpstate {
    u32 environment[7];
    u8 registers[80];
    u16 status;
    u16 magic;
};

struct sigcontext {
    u32 gs, fs, es, ds;
    u32 edi, esi, ebp, esp, ebx, edx, ecx, eax;
    u32 vector, error;
    u32 eip, cs, eflags, esp_at_signal, ss;
    u32 fpstate;
    u32 old_mask;
    u32 cr2;
};

struct ucontext {
    u32 flags;
    u32 link;
    struct sigstack stack;
    struct sigcontext context;
    u32 mask[2];
};

/* What a handler finds at ESP: its return address and three arguments. A
 * one-argument handler sees the same; both returns find the frame again. */
struct sigframe {
    u32 return_address;
    u32 number;
    u32 info_pointer;
    u32 context_pointer;
    struct siginfo info;
    struct ucontext context;
    struct fpstate fpu;
    u8 return_code[8];
};

_Static_assert(sizeof(struct siginfo) == 128, "i386 siginfo_t");
_Static_assert(sizeof(struct fpstate) == 112, "i386 struct _fpstate");

#endif
