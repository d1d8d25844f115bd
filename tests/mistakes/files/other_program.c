// The program runs another program of the host.
// cc: -O1 -g
// run: -n 1
// expect-exit: 0
// expect-stderr: rck: core 00: system at main \(other_program\.c:\d+\) fails: a core runs one process: it starts no other program
// expect-stderr: hint: run the other program on the host, before or after

#include <stdlib.h>

int main(void)
{
#ifndef MENDED
    system("ls");
#endif
    return 0;
}
