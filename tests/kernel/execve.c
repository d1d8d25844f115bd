// A program puts itself anew into its own place: memory, handlers and
// thread-local memory begin again, descriptors stay but those closed on exec.
// run: -n 1 --tag none -- first
// also-slow: --kernel l4
// expect-stdout:
// no such program: No such file or directory
// round 1: data 5, handler default, descriptor 3 closed, 4 open, variable 1
// round 2: data 5, handler default, descriptor 3 closed, 4 open, variable 2
// round 3: data 5, handler default, descriptor 3 closed, 4 open, variable 3
// round 4: data 5, handler default, descriptor 3 closed, 4 open, variable 4
// round 5: data 5, handler default, descriptor 3 closed, 4 open, variable 5
// expect-exit: 9
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int data = 5;
static _Thread_local int own = 7;

static void handle(int number)
{
    (void)number;
}

static void next(const char *name, int round)
{
    static char text[20], variable[20];
    char *arguments[] = {"again", text, NULL};
    char *environment[] = {variable, NULL};

    snprintf(text, sizeof text, "%d", round);
    snprintf(variable, sizeof variable, "ROUND=%d", round);
    fflush(stdout);
    execve(name, arguments, environment);
    printf("no such program: %s\n", strerror(errno));
}

static const char *open_or_not(int descriptor)
{
    return fcntl(descriptor, F_GETFD) < 0 ? "closed" : "open";
}

int main(int argc, char **argv)
{
    struct sigaction now;
    int round = argc > 1 ? atoi(argv[1]) : 0;

    if (round > 0) {
        sigaction(SIGUSR1, NULL, &now);
        printf("round %d: data %d, handler %s, descriptor 3 %s, 4 %s, "
               "variable %s\n",
               round, own == 7 ? data : -1,
               now.sa_handler == SIG_DFL ? "default" : "left", open_or_not(3),
               open_or_not(4), getenv("ROUND"));
        close(4);
    } else
        next("/bin/nothing", 0);
    if (round == 5)
        return 9;
    data++;
    own++;
    signal(SIGUSR1, handle);
    memset(malloc(1 << 20), 1, 1 << 20);
    open("/dev/null", O_RDONLY | O_CLOEXEC);
    open("/dev/null", O_RDONLY);
    next("/somewhere/execve", round + 1);
    return 1;
}
