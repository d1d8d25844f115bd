/*
 * bomb.c: many processes at once, each another one's parent.
 *
 *   bomb [PROCESSES]
 *
 * None ends before all are there, by a futex in memory that all share.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct seen {
    _Atomic uint32_t there, wrong;
};

/* The number of a process; each but the last has a child. */
static int multiply(int count, pid_t *child)
{
    for (int number = 0; number < count - 1; number++) {
        *child = fork();
        if (*child < 0) {
            fprintf(stderr, "bomb: process %d: %s\n", number + 1,
                    strerror(errno));
            _exit(1);
        }
        if (*child)
            return number;
    }
    *child = 0;
    return count - 1;
}

static void wait_for_all(struct seen *seen, int count)
{
    uint32_t now;

    atomic_fetch_add(&seen->there, 1);
    while ((now = seen->there) < (uint32_t)count)
        syscall(SYS_futex, &seen->there, FUTEX_WAIT, now, NULL, NULL, 0);
    syscall(SYS_futex, &seen->there, FUTEX_WAKE, count, NULL, NULL, 0);
}

int main(int words, char **given)
{
    int count = words > 1 ? atoi(given[1]) : 200, number, status = 0;
    struct seen *seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t child = 0;

    if (seen == MAP_FAILED)
        return 3;
    number = multiply(count, &child);
    wait_for_all(seen, count);
    if (child && (waitpid(child, &status, 0) != child || status != 0))
        atomic_fetch_add(&seen->wrong, 1);
    if (number)
        _exit(0);
    printf("%u processes at once, %u wrong\n", (unsigned)seen->there,
           (unsigned)seen->wrong);
    return seen->wrong != 0;
}
