/* crash.c: a kernel without handlers that meets an undefined instruction. */
#include "kernel.h"

void main(void)
{
    say("last words\n");
    __asm__ volatile("ud2");
}
