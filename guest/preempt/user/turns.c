/*
 * turns.c: pre-emption. Two children compute without ever asking the kernel
 * for anything but to report their progress; the timer lets both go on. A
 * third never ends, until it is killed.
 */
#include "user.h"

#define STEPS 8
#define LOOPS 200000 /* more than a tick takes */

static void compute(int report, char name)
{
    int step;
    volatile int n;

    for (step = 0; step < STEPS; step++) {
        for (n = 0; n < LOOPS; n++)
            ;
        write(report, &name, 1);
    }
    exit(0);
}

int main(const char *argument)
{
    int ends[2], status, pid, n, seen[2] = {0, 0}, both = 0;
    char name;

    print("turns: process %d, %s\n", getpid(), argument);
    pipe(ends);
    for (n = 0; n < 2; n++)
        if (fork() == 0)
            compute(ends[1], (char)n);
    close(ends[1]);
    while (read(ends[0], &name, 1) == 1) {
        seen[(int)name]++;
        /* Both are under way and neither is done. */
        if (seen[0] && seen[1] && seen[0] < STEPS && seen[1] < STEPS)
            both++;
    }
    print("turns: %d and %d steps, %s\n", seen[0], seen[1],
          both ? "side by side" : "one after the other");
    wait(0);
    wait(0);

    pid = fork();
    if (pid == 0)
        for (;;)
            ;
    sleep(3);
    kill(pid, SIGKILL);
    wait(&status);
    print("turns: the endless one ended with %d\n", status);
    return 0;
}
