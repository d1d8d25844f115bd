// What a program learns about itself and its machine, pipes, and calls
// that one process on one core cannot have.
// run: -n 1 --env A=1 --env B=x,y%z --tag none -- one "two words" a,b%20c ""
// also-slow: --kernel l4
// expect-stdout:
// 5 arguments: process|one|two words|a,b%20c||
// A=1 B=x,y%z
// page size 4096, ticks 100, processors 1
// Linux i586
// user 0 parent 1
// no environment but ours: yes
// terminal: 1 80 columns
// stdin at its end: 0
// pipe: 1 1 'hi' 0
// closed pipe: Broken pipe
// exec: No such file or directory
// unknown: Function not implemented
// other process: No such process
// random: yes
// duplicates: same place
// no files: No such file or directory
// launch: 1 0.533 0 0
// null, zero, full: 0 0 No space left on device
// expect-stderr: system call 102 \(socketcall\) is not available
// expect-stderr: system call 398 \(unknown\) is not available
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

extern char **environ;

static void pipes(void)
{
    struct pollfd ready = {.events = POLLIN};
    char text[8] = "";
    int ends[2], full;

    if (pipe(ends) != 0)
        return;
    ready.fd = ends[0];
    write(ends[1], "hi", 2);
    full = poll(&ready, 1, 0);
    read(ends[0], text, sizeof(text));
    printf("pipe: %d %d '%s' %d\n", full, ready.revents, text,
           poll(&ready, 1, 0));
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    write(ends[1], "x", 1);
    printf("closed pipe: %s\n", strerror(errno));
}

static void refused(void)
{
    char *argv[] = {"x", NULL};
    int result;

    result = execv("/x", argv);
    printf("exec: %s\n", result < 0 ? strerror(errno) : "done");
    syscall(102, 1, NULL);
    result = (int)syscall(398);
    printf("unknown: %s\n", result < 0 ? strerror(errno) : "done");
    kill(4711, SIGTERM);
    printf("other process: %s\n", strerror(errno));
}

static void devices(void)
{
    int null = open("/dev/null", O_RDWR), zero = open("/dev/zero", O_RDONLY);
    int full = open("/dev/full", O_WRONLY), got;
    char byte = 7;

    got = (int)read(null, &byte, 1);
    read(zero, &byte, 1);
    write(full, "x", 1);
    printf("null, zero, full: %d %d %s\n", got, byte, strerror(errno));
}

int main(int argc, char **argv)
{
    struct winsize size = {0};
    struct utsname name;
    unsigned long random[2] = {0};
    char text[80] = "";
    int copy, n;

    printf("%d arguments: ", argc);
    for (n = 0; n < argc; n++)
        printf("%s|", argv[n]);
    printf("\nA=%s B=%s\n", getenv("A"), getenv("B"));
    printf("page size %ld, ticks %ld, processors %ld\n", sysconf(_SC_PAGESIZE),
           sysconf(_SC_CLK_TCK), sysconf(_SC_NPROCESSORS_ONLN));
    uname(&name);
    printf("%s %s\n", name.sysname, name.machine);
    printf("user %d parent %d\n", (int)getuid(), (int)getppid());
    for (n = 0; environ[n]; n++)
        ;
    printf("no environment but ours: %s\n", n == 2 ? "yes" : "no");
    ioctl(1, TIOCGWINSZ, &size);
    printf("terminal: %d %d columns\n", isatty(1), size.ws_col);
    printf("stdin at its end: %d\n", (int)read(0, text, 1));
    pipes();
    refused();
    getrandom(random, sizeof(random), 0);
    printf("random: %s\n", random[0] != random[1] ? "yes" : "no");
    copy = dup(1);
    printf("duplicates: %s\n",
           copy > 2 && dup2(copy, 9) == 9 ? "same place" : "refused");
    n = open("anything", O_RDONLY);
    printf("no files: %s\n", n < 0 ? strerror(errno) : "opened");
    n = open("/proc/rck/launch", O_RDONLY);
    read(n, text, sizeof(text) - 1);
    printf("launch: %s", text);
    devices();
    return 0;
}
