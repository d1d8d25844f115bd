/*
 * switch.c: from one stack to another one. What a function must keep on an
 * i386 is on the stack it leaves; the x87's registers are empty at a call.
 */
#include "lpel_private.h"

__attribute__((naked)) void
lpel_switch(__attribute__((unused)) void *volatile *save,
            __attribute__((unused)) void *load)
{
    __asm__ volatile("movl 4(%esp), %eax\n\t"
                     "movl 8(%esp), %edx\n\t"
                     "pushl %ebp\n\t"
                     "pushl %ebx\n\t"
                     "pushl %esi\n\t"
                     "pushl %edi\n\t"
                     "movl %esp, (%eax)\n\t"
                     "movl %edx, %esp\n\t"
                     "popl %edi\n\t"
                     "popl %esi\n\t"
                     "popl %ebx\n\t"
                     "popl %ebp\n\t"
                     "ret");
}

/* A call on another stack, whose address is a multiple of 16. */
__attribute__((naked)) void
lpel_call_on(__attribute__((unused)) void *stack,
             __attribute__((unused)) void (*function)(void *),
             __attribute__((unused)) void *argument)
{
    __asm__ volatile("pushl %ebp\n\t"
                     "movl %esp, %ebp\n\t"
                     "movl 8(%ebp), %esp\n\t"
                     "subl $12, %esp\n\t"
                     "pushl 16(%ebp)\n\t"
                     "call *12(%ebp)\n\t"
                     "movl %ebp, %esp\n\t"
                     "popl %ebp\n\t"
                     "ret");
}

/* What lpel_switch takes from a new stack. It is written through the stack's
 * uncached address, and read through the one it runs at. */
void *lpel_first_frame(char *stack, uint32_t bytes, uint32_t alias,
                       void (*entry)(void))
{
    /* The function begins with its return address at a multiple of 16, less
     * 4, as after a call. */
    uint32_t *top = (uint32_t *)(void *)(stack + bytes) - 8;

    top[0] = top[1] = top[2] = top[3] = 0;
    top[4] = (uint32_t)(uintptr_t)entry;
    top[5] = 0;
    return (char *)top + alias;
}
