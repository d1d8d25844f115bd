/*
 * start.S: the first instructions of a program, and where handlers return to.
 */
#define SYS_EXIT 0
#define SYS_RETURN 13
#define SYSTEM_CALL 0x80

    .text
    .globl _start
_start:
    xor %ebp, %ebp
    call main                   /* its argument is on the stack */
    mov %eax, %ebx
    mov $SYS_EXIT, %eax
    int $SYSTEM_CALL

    .globl signal_restorer
signal_restorer:
    mov $SYS_RETURN, %eax
    int $SYSTEM_CALL
