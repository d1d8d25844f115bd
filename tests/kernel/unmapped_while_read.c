// Memory that one thread unmaps while a call of another one waits to fill it: the program ends by
// SIGSEGV, and the kernel goes on to say so.
// cc: -O1 -pthread=core
// run: -n 1
// expect-exit: 76
// expect-stderr: core 00 \(tile 0,0\): segmentation fault
// expect-stdout:
// waits
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static int ends[2];
static void *memory;

static void *fill(void *unused)
{
    read(ends[0], memory, 4096);
    return unused;
}

int main(void)
{
    pthread_t reader;

    memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pipe(ends) || pthread_create(&reader, NULL, fill, NULL))
        return 1;
    usleep(1000);
    printf("waits\n");
    fflush(stdout);
    munmap(memory, 4096);
    write(ends[1], "abc", 3);
    pthread_join(reader, NULL);
    printf("not reached\n");
    return 0;
}
