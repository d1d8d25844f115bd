// The program starts a process, as on Linux.
// cc: -O1 -g
// run: -n 1
// expect-exit: 0
// expect-stderr: rck: core 00: fork at main \(second_process\.c:\d+\) fails: a core runs one process: there is no fork
// expect-stderr: hint: start more copies \(rck run -n N\), or threads

#include <stdio.h>
#include <unistd.h>

int main(void)
{
#ifndef MENDED
    if (fork() == 0)
        puts("child");
#endif
    return 0;
}
