/*
 * fork_many.c (test_personality.py): as many children, one after the other, as
 * the first argument says; the second one is how many bytes the parent has.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child uses memory, a thread of the microkernel's, and a pipe. */
static int use(int number)
{
    size_t bytes = 100000;
    char *memory = malloc(bytes);
    int ends[2];

    if (!memory || pipe(ends))
        return 1;
    memset(memory, number, bytes);
    return write(ends[1], memory, 4096) != 4096 ||
           read(ends[0], memory, 4096) != 4096;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 1, n;
    size_t bytes = argc > 2 ? (size_t)atoi(argv[2]) : 0;
    char *own = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (own == MAP_FAILED)
        return 2;
    memset(own, 1, bytes);
    for (n = 0; n < count; n++) {
        pid_t child = fork();
        int status = 0;

        if (child < 0) {
            printf("fork %d: %s\n", n, strerror(errno));
            return 0;
        }
        if (child == 0)
            _exit(use(n));
        if (waitpid(child, &status, 0) != child || status)
            return 3;
    }
    printf("%d forks\n", n);
    return 0;
}
