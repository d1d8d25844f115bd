// --strace prints one line for each system call, with its name, arguments
// and result; standard error carries the program's own text between them.
// run: -n 1 --strace
// also-slow: --kernel l4
// expect-stdout:
// done
// expect-stderr: open\("missing/file", 0x[0-9a-f]+, 00\) = -2
// expect-stderr: write\(2, "a\\n\\x01", 3\)
// expect-stderr: munmap\(0x7, 0x1000\) = -22
// expect-stderr: getpid\(\) = 1000
// expect-stderr: exit_group\(0\)
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
    open("missing/file", O_RDONLY);
    write(2, "a\n\1", 3);
    munmap((void *)(uintptr_t)7, 4096);
    getpid();
    puts("done");
    return 0;
}
