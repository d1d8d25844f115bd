/*
 * syscall.c: an empty system call of our own kernel, from ring 3: turns, the
 * cycles of a loop with it and of the loop without it.
 */
#include <stdint.h>
#include <stdio.h>

#define TURNS 1000
#define SYS_GETPID 20

static uint64_t loop(int with_call)
{
    uint64_t start = __builtin_ia32_rdtsc();
    for (int i = 0; i < TURNS; i++) {
        int result = SYS_GETPID;
        if (with_call)
            __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
        else
            __asm__ volatile("" : "+a"(result) : : "memory");
    }
    return __builtin_ia32_rdtsc() - start;
}

int main(void)
{
    uint64_t with = 0, without = 0;
    for (int i = 0; i < 2; i++) {
        with = loop(1);
        without = loop(0);
    }
    printf("null_syscall %d %llu %llu\n", TURNS, (unsigned long long)with,
           (unsigned long long)without);
    return 0;
}
