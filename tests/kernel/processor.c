// run: -q --tag none --cores 5,7
// also-slow: --kernel l4
// expect-match: 5 0\n
// expect-match: 7 0\n
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    unsigned node = 9;

    if (syscall(SYS_getcpu, 0, &node, 0) != 0)
        return 1;
    printf("%d %u\n", sched_getcpu(), node);
    return 0;
}
