/* Little more than calls and returns. */

#include <stdio.h>

__attribute__((noinline)) static int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(void)
{
    printf("%d\n", fib(36));
    return 0;
}
