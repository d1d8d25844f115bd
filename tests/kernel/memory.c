// Address space: demand-zero pages, brk, mmap, mremap, mprotect, and a clear
// ENOMEM when the core's private memory is promised away.
// run: -n 1
// also-slow: --kernel l4
// expect-stdout:
// 100 MB touched: sum 25600
// fresh pages are zero
// moved: text 5
// shrunk in place
// discarded: 0
// read-only: refused
// protection back: 42
// no access: refused
// contents kept: 42
// hint taken
// unaligned device offset: Invalid argument
// unmap of nothing: 0
// brk: grew, zero, shrank
// 3 GB: Out of memory
// freed memory is used again
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MB (1u << 20)

static sigjmp_buf back;

static void fault(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

static char *map(size_t size)
{
    return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                -1, 0);
}

static void large(void)
{
    volatile char *block = malloc(100 * MB);
    unsigned sum = 0;

    for (unsigned n = 0; n < 100 * MB; n += 4096)
        block[n] = 1;
    for (unsigned n = 0; n < 100 * MB; n += 4096)
        sum += (unsigned)block[n];
    printf("100 MB touched: sum %u\n", sum);
    free((void *)block);
}

static void remap(void)
{
    char *m = map(MB);
    unsigned dirt = 0;

    for (unsigned n = 0; n < MB; n++)
        dirt |= (unsigned char)m[n];
    printf("fresh pages are %s\n", dirt ? "not zero" : "zero");
    strcpy(m, "text");
    m[MB - 1] = 5;
    map(MB); /* right below or above: the next growth has to move */
    m = mremap(m, MB, 64 * MB, MREMAP_MAYMOVE);
    printf("moved: %s %d\n", m, m[MB - 1]);
    printf("%s\n",
           mremap(m, 64 * MB, MB, 0) == m ? "shrunk in place" : "not shrunk");
    madvise(m, MB, MADV_DONTNEED);
    printf("discarded: %d\n", m[0]);
    munmap(m, MB);
}

static void protect(void)
{
    volatile char *m = map(8192);

    signal(SIGSEGV, fault);
    m[0] = 41;
    mprotect((void *)m, 4096, PROT_READ);
    if (!sigsetjmp(back, 1)) {
        m[0] = 1;
        printf("read-only: written\n");
    } else {
        printf("read-only: refused\n");
    }
    mprotect((void *)m, 4096, PROT_READ | PROT_WRITE);
    m[0]++;
    printf("protection back: %d\n", m[0]);
    mprotect((void *)m, 4096, PROT_NONE);
    if (!sigsetjmp(back, 1))
        printf("no access: read %d\n", m[0]);
    else
        printf("no access: refused\n");
    mprotect((void *)m, 4096, PROT_READ);
    printf("contents kept: %d\n", m[0]);
}

static void place(void)
{
    void *hint = (void *)(uintptr_t)0x60000000;
    void *m = mmap(hint, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int fd = open("/dev/rckncm", O_RDWR | O_SYNC);

    printf("hint %s\n", m == hint ? "taken" : "ignored");
    m = (void *)(uintptr_t)mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0x123);
    printf("unaligned device offset: %s\n",
           m == MAP_FAILED ? strerror(errno) : "mapped");
    printf("unmap of nothing: %d\n",
           munmap((void *)(uintptr_t)0x70000000, 4096));
}

/* libc's sbrk refuses to move the break: the system call itself. */
static char *set_break(char *to)
{
    return (char *)syscall(SYS_brk, to);
}

static void breaks(void)
{
    char *start = set_break(NULL);
    char *end = start + 3 * 4096;
    int grew = set_break(end) == end;
    int zero = grew && end[-1] == 0;
    int shrank;

    set_break(start + 4096);
    shrank = set_break(NULL) == start + 4096;
    printf("brk: %s, %s, %s\n", grew ? "grew" : "stayed",
           zero ? "zero" : "dirty", shrank ? "shrank" : "stayed");
}

int main(void)
{
    void *volatile huge;
    int kept = 1;

    large();
    remap();
    protect();
    signal(SIGSEGV, SIG_DFL);
    place();
    breaks();
    huge = malloc(3000u * MB);
    printf("3 GB: %s\n", huge ? "given" : strerror(errno));
    for (int n = 0; n < 20 && kept; n++) {
        char *m = map(40 * MB);

        kept = m != MAP_FAILED;
        if (kept) {
            m[0] = m[20 * MB] = 1;
            munmap(m, 40 * MB);
        }
    }
    printf("freed memory is %s\n", kept ? "used again" : "lost");
    return 0;
}
