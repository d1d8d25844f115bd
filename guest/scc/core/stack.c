/*
 * stack.c: the switch, and what a fresh stack begins with.
 */
#include "scc/stack.h"

#include <stdint.h>

__attribute__((naked)) void
scc_switch(__attribute__((unused)) void *volatile *save,
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

__attribute__((naked)) void
scc_call_on(__attribute__((unused)) void *end,
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

/* The function begins with its return address at a multiple of 16, less 4, as
 * after a call. */
void *scc_first_frame(void *stack, size_t bytes, void (*entry)(void))
{
    uint32_t *top = (uint32_t *)(void *)((char *)stack + bytes) - 8;

    top[0] = top[1] = top[2] = top[3] = 0;
    top[4] = (uint32_t)(uintptr_t)entry;
    top[5] = 0;
    return top;
}
