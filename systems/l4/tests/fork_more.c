// Processes of the personality: sockets, threads, other programs, orphans, many.
// cc: -pthread=core
// run: --kernel l4 --cores 3 -- first
// expect-stdout:
// a pair of sockets: ping, pong
// a thread forks: 5
// the same program again: argument second
// posix_spawn: argument third
// system: No such file or directory
// popen: No such file or directory
// an orphan's parent is 1
// SIGCHLD is ignored: No child process
// 20 in a row: sum 190
// too many: 13 children, then Resource temporarily unavailable
#include <pthread.h>
#include <spawn.h>
#include <sys/socket.h>

#include "children.h"

static int ends[2];

static int answer(void)
{
    char text[8] = "";

    check(read(ends[1], text, 4) == 4 && !strcmp(text, "ping"), "ping");
    return write(ends[1], "pong", 4) != 4;
}

static void sockets(void)
{
    char text[8] = "";
    pid_t child;

    check(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends), "socketpair");
    child = start(answer);
    check(write(ends[0], "ping", 4) == 4, "write");
    check(read(ends[0], text, 4) == 4, "read");
    end_of(child);
    printf("a pair of sockets: ping, %s\n", text);
}

static int five(void)
{
    return 5;
}

static void *in_thread(void *argument)
{
    (void)argument;
    return (void *)(long)WEXITSTATUS(end_of(start(five)));
}

static void threads(void)
{
    pthread_t thread;
    void *result;

    pthread_create(&thread, NULL, in_thread, NULL);
    pthread_join(thread, &result);
    printf("a thread forks: %d\n", (int)(long)result);
}

static const char *own_name;

static int again(void)
{
    execl(own_name, own_name, "second", (char *)NULL);
    return 1;
}

static void programs(void)
{
    extern char **environ;
    char *arguments[] = {(char *)own_name, (char *)"third", NULL};
    pid_t child;

    end_of(start(again));
    check(!posix_spawn(&child, own_name, NULL, NULL, arguments, environ),
          "posix_spawn");
    end_of(child);
    printf("system: %s\n", system("exit 3") < 0 ? strerror(errno) : "?");
    printf("popen: %s\n", popen("echo 1", "r") ? "?" : strerror(errno));
}

static int show_parent(void)
{
    while (getppid() != 1)
        usleep(100);
    printf("an orphan's parent is %d\n", (int)getppid());
    fflush(stdout);
    return write(ends[1], "o", 1) != 1;
}

static int leave_orphan(void)
{
    start(show_parent);
    return 0;
}

static void orphans(void)
{
    char byte;

    check(!pipe(ends), "pipe");
    end_of(start(leave_orphan));
    check(read(ends[0], &byte, 1) == 1, "read");
}

static void ignored(void)
{
    signal(SIGCHLD, SIG_IGN);
    for (int n = 0; n < 3; n++)
        start(five);
    printf("SIGCHLD is ignored: %s\n",
           wait(NULL) < 0 ? strerror(errno) : "a child");
    signal(SIGCHLD, SIG_DFL);
}

static int number;

static int give_number(void)
{
    return number;
}

static void many(void)
{
    int sum = 0, children = 0;

    for (number = 0; number < 20; number++)
        sum += WEXITSTATUS(end_of(start(give_number)));
    printf("20 in a row: sum %d\n", sum);
    fflush(stdout);
    for (;; children++) {
        pid_t child = fork();

        if (child < 0)
            break;
        if (child == 0)
            _exit(for_ever());
    }
    printf("too many: %d children, then %s\n", children, strerror(errno));
    fflush(stdout);
    signal(SIGTERM, SIG_IGN);
    kill(0, SIGTERM);
    while (wait(NULL) > 0)
        ;
}

int main(int argc, char **argv)
{
    own_name = argv[0];
    if (strcmp(argc > 1 ? argv[1] : "", "first")) {
        printf(strcmp(argv[1], "second") ? "posix_spawn: argument %s\n"
                                         : "the same program again: argument "
                                           "%s\n",
               argv[1]);
        return 0;
    }
    sockets();
    threads();
    programs();
    orphans();
    ignored();
    many();
    return 0;
}
