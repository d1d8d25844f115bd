/*
 * abi.h: what kernel and programs agree on: INT 80 with the number in EAX and
 * up to three arguments in EBX, ECX, EDX; the result in EAX, negative if it
 * is an error.
 */
#ifndef ABI_H
#define ABI_H

enum {
    SYS_EXIT,   /* status */
    SYS_FORK,   /* -> pid, 0 in the child */
    SYS_EXEC,   /* name, argument */
    SYS_WAIT,   /* &status -> pid */
    SYS_PID,    /* -> pid */
    SYS_READ,   /* file, buffer, bytes -> bytes, 0 at the end */
    SYS_WRITE,  /* file, buffer, bytes -> bytes */
    SYS_PIPE,   /* int pair[2]: read, write */
    SYS_CLOSE,  /* file */
    SYS_SLEEP,  /* ticks */
    SYS_PAUSE,  /* until a signal */
    SYS_KILL,   /* pid, signal */
    SYS_SIGNAL, /* signal, handler, restorer */
    SYS_RETURN, /* from a handler */
    SYS_ALARM,  /* ticks until SIGALRM, 0: none */
    SYS_FRAMES, /* -> free page frames */
    SYS_TICKS,  /* -> ticks since the start */
    SYS_COUNT,
};

/* Errors. */
enum {
    NO_SUCH = -2,
    INTERRUPTED = -4,
    NO_CHILD = -10,
    NO_MEMORY = -12,
    BAD_ADDRESS = -14,
    BAD_CALL = -22,
    BROKEN_PIPE = -32,
};

/* Signals; what a process does not handle ends it with status 128 + signal. */
enum {
    SIGILL = 4,
    SIGTRAP = 5,
    SIGFPE = 8,
    SIGKILL = 9,
    SIGUSR1 = 10,
    SIGSEGV = 11,
    SIGPIPE = 13,
    SIGALRM = 14,
    SIGNALS = 16,
};

/* What a handler is called with: its signal, for SIGSEGV the address, and
 * the registers that it returns to, which it may change. */
struct signal_frame {
    unsigned restorer; /* where the handler returns to */
    unsigned number;
    unsigned address;
    struct signal_registers {
        unsigned edi, esi, ebp, ebx, edx, ecx, eax, eip, eflags, esp;
    } registers;
};

#endif
