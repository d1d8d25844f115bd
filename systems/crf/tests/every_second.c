// Every second page of much memory: more ranges of pages than the kernel keeps.
// slow: yes
// cc: -O2 -pthread
// run: -n 2 --tag none
// expect-stdout:
// 17920 pages, 0 wrong
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define PAGE 4096
#define PAGES 17920 /* every second page of 140 MB */

static volatile int *memory;

static volatile int *place(int n)
{
    return (volatile int *)((volatile char *)memory + (size_t)n * 2 * PAGE);
}

static void *write_all(void *unused)
{
    for (int n = 0; n < PAGES; n++)
        *place(n) = n + 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    int wrong = 0;

    memory = malloc((size_t)PAGES * 2 * PAGE);
    if (!memory)
        return 1;
    pthread_create(&thread, NULL, write_all, NULL);
    pthread_join(thread, NULL);
    for (int n = 0; n < PAGES; n++)
        wrong += *place(n) != n + 1;
    printf("%d pages, %d wrong\n", PAGES, wrong);
    return 0;
}
