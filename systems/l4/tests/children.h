/* children.h: what tests of processes share. */
#ifndef CHILDREN_H
#define CHILDREN_H

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void check(int good, const char *what)
{
    if (!good) {
        printf("%s: %s\n", what, strerror(errno));
        exit(1);
    }
}

/* The child calls `body` and ends with its result. */
static pid_t start(int (*body)(void))
{
    pid_t child;

    fflush(stdout);
    child = fork();
    check(child >= 0, "fork");
    if (child == 0)
        _exit(body());
    return child;
}

static int end_of(pid_t child)
{
    int status = -1;

    check(waitpid(child, &status, 0) == child, "waitpid");
    return status;
}

/* A child's body: until a signal ends it. */
static int for_ever(void)
{
    for (;;)
        pause();
}

#endif
