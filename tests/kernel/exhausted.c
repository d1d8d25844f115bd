// A program that uses more memory than it was promised ends with one clear
// message.
// run: -n 1
// also-slow: --kernel l4
// slow: yes
// expect-exit: 76
// expect-stdout:
// filling
// expect-stderr: core 0: out of memory: no frame for address
// expect-stderr: killed by SIGKILL, out of memory at address
#include <stdio.h>
#include <sys/mman.h>

int main(void)
{
    puts("filling");
    for (;;) {
        volatile char *m =
            mmap(NULL, 200u << 20, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

        for (unsigned n = 0; n < 200u << 20; n += 4096)
            m[n] = 1;
    }
}
