/* A signal's handler leaves a pointer to another block in EDI; main goes on with its own. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char *small;

static void handler(int signal)
{
    (void)signal;
    __asm__ volatile("mov %0, %%edi" : : "m"(small));
}

int main(void)
{
    char *large = calloc(4096, 1);
    int value;

    small = calloc(8, 1);
    signal(SIGUSR1, handler);
    __asm__ volatile("int $0x80\n\t"
                     "movl 1000(%%edi), %0"
                     : "=a"(value)
                     : "a"(37), "b"(getpid()), "c"(SIGUSR1), "D"(large)
                     : "memory");
    printf("%d\n", value);
    free(large);
    free(small);
    return 0;
}
