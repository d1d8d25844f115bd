/*
 * linux_program.c: a program of i386 Linux that asks for what the personality
 * has; `argv[1]` says how it ends.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static int zero;

static void memory(void)
{
    double *x = malloc(1000000 * sizeof(double)), sum = 0;
    char *page = mmap(0, 8192, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    for (int n = 0; n < 1000000; n += 1000)
        x[n] = n / 3.0;
    for (int n = 0; n < 1000000; n += 1000)
        sum += x[n];
    free(x);
    memset(page, 1, 8192);
    munmap(page, 8192);
    /* What comes again is empty again. */
    page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                -1, 0);
    printf("sum %.3f, a new page holds %d\n", sum, page[0] + page[8191]);
}

static void times(void)
{
    struct timespec before, after, pause = {0, 2000000};
    time_t now = time(0);
    long us;

    clock_gettime(CLOCK_MONOTONIC, &before);
    nanosleep(&pause, 0);
    clock_gettime(CLOCK_MONOTONIC, &after);
    us = (after.tv_sec - before.tv_sec) * 1000000 +
         (after.tv_nsec - before.tv_nsec) / 1000;
    printf("slept %s, year %d\n", us >= 2000 && us < 2100 ? "2 ms" : "wrongly",
           1900 + gmtime(&now)->tm_year);
}

int main(int argc, char **argv)
{
    const char *end = argc > 1 ? argv[1] : "";

    for (int n = 1; n < argc; n++)
        printf("[%s]", argv[n]);
    printf(" HOME is %s\n", getenv("HOME"));
    memory();
    times();
    fprintf(stderr, "this goes to standard error\n");
    if (!fopen("/somewhere", "r"))
        printf("no file\n");
    fflush(stdout);
    if (!strcmp(end, "null"))
        *(volatile int *)0 = 1;
    if (!strcmp(end, "text"))
        *(volatile char *)main = 0;
    if (!strcmp(end, "divide"))
        return 1 / zero;
    if (!strcmp(end, "kernel"))
        return *(volatile int *)0xF0100000;
    return 7;
}
