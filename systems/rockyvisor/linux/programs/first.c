/*
 * first.c: the first program of the Linux of `rck smp PROG`. It starts PROG
 * with its arguments and environment, in the host's shared folder if there is
 * one, passes on what PROG prints, and ends the machine with PROG's exit code;
 * both by the hypervisor's own page, since Linux's serial driver has 1,600
 * characters a second.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "service.h"

/* What python/rockcreek/smp/program.py puts into the initial file system: texts,
 * each with a zero behind it. */
#define PROGRAM "/rck/program"
#define ARGUMENTS "/rck/arguments"
#define ENVIRONMENT "/rck/environment"
#define PROCESSORS "/rck/processors"
#define SHARE "/share" /* there if the host shares a folder */
#define INPUT "/dev/hostin"
#define KILLED 76   /* exit code of rck: a signal has killed the program */
#define NOT_OURS 70 /* the machine is not what it should be */
#define PAGE 4096

static volatile unsigned *service;
static char buffer[PAGE];

static void ask(unsigned what, const char *bytes, size_t count)
{
    static struct service_ask asked;

    asked = (struct service_ask){
        .what = what, .address = (unsigned)bytes, .count = (unsigned)count};
    __asm__ volatile("" : : : "memory");
    service[SERVICE_ASK / 4] = (unsigned)&asked;
}

static void print(const char *bytes, size_t count)
{
    ask(SERVICE_PRINT, bytes, count);
}

static void end(int code)
{
    ask(SERVICE_END, NULL, (size_t)code);
    for (;;)
        pause();
}

static void fail(const char *what)
{
    int length = snprintf(buffer, sizeof(buffer), "rck smp: %s: %s\n", what,
                          strerror(errno));

    print(buffer, (size_t)length);
    end(NOT_OURS);
}

static int open_service(void)
{
    int file = open("/dev/mem", O_RDWR | O_SYNC);
    void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file,
                      (off_t)SERVICE_PAGE);

    if (file < 0 || page == MAP_FAILED)
        return 0;
    service = page;
    close(file);
    return service[SERVICE_MAGIC / 4] == SERVICE_MAGIC_WORD;
}

/* The texts of a file, behind each other, as main() gets them. */
static char **texts(const char *path)
{
    FILE *file = fopen(path, "r");
    char **list = calloc(1, sizeof(char *)), *text = NULL;
    size_t size = 0, count = 0;

    if (!file || !list)
        fail(path);
    while (getdelim(&text, &size, 0, file) > 0) {
        list[count++] = text;
        list = realloc(list, (count + 1) * sizeof(char *));
        list[count] = text = NULL;
        size = 0;
    }
    fclose(file);
    return list;
}

/* A kernel that was built for fewer only says so to a console. */
static void compare_processors(void)
{
    int has = atoi(texts(PROCESSORS)[0]);
    int uses = (int)sysconf(_SC_NPROCESSORS_ONLN), length;

    if (uses == has)
        return;
    length = snprintf(buffer, sizeof(buffer),
                      "rck smp: Linux uses %d of %d processors: it was built "
                      "for fewer, or --append says so\n",
                      uses, has);
    print(buffer, (size_t)length);
}

static pid_t start(int output)
{
    char **arguments = texts(ARGUMENTS), **environment = texts(ENVIRONMENT);
    sigset_t none;
    pid_t child = fork();

    if (child)
        return child;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    dup2(open(INPUT, O_RDONLY), 0);
    dup2(output, 1);
    dup2(output, 2);
    for (int file = 3; file < 16; file++)
        close(file);
    setsid();
    if (chdir(access(SHARE, F_OK) ? "/tmp" : SHARE) == 0)
        execve(PROGRAM, arguments, environment);
    dprintf(2, "rck smp: Linux does not start %s: %s\n", arguments[0],
            strerror(errno));
    _exit(NOT_OURS);
}

/* All that is there now. */
static void pass_on(int from)
{
    ssize_t count;

    while ((count = read(from, buffer, sizeof(buffer))) > 0)
        print(buffer, (size_t)count);
}

static void heard(int number)
{
    (void)number;
}

static int code_of(int status, int output)
{
    int number = WTERMSIG(status);

    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    dprintf(output, "rck smp: signal %d (%s) has killed the program\n", number,
            strsignal(number));
    return KILLED;
}

int main(void)
{
    struct sigaction action = {.sa_handler = heard};
    sigset_t child_ends, before;
    int ends[2], status = 0;
    pid_t program, ended;

    mount("devtmpfs", "/dev", "devtmpfs", 0, NULL);
    mount("proc", "/proc", "proc", 0, NULL);
    mount("sysfs", "/sys", "sysfs", 0, NULL);
    if (!open_service()) {
        puts("rck smp: this Linux has no /dev/mem, or another hypervisor");
        return NOT_OURS;
    }
    if (access(SHARE, F_OK) == 0 &&
        mount("host", SHARE, "9p", 0, "trans=rockyvisor,version=9p2000.L"))
        fail("--share");
    compare_processors();
    sigaction(SIGCHLD, &action, NULL);
    sigemptyset(&child_ends);
    sigaddset(&child_ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ends, &before);
    if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0)
        fail("pipe");
    fcntl(ends[1], F_SETFL, 0); /* the program may wait for room */
    program = start(ends[1]);
    for (;;) {
        struct pollfd wait = {.fd = ends[0], .events = POLLIN};

        ppoll(&wait, 1, NULL, &before);
        pass_on(ends[0]);
        while ((ended = waitpid(-1, &status, WNOHANG)) > 0 && ended != program)
            ;
        if (ended == program)
            break;
    }
    status = code_of(status, ends[1]);
    pass_on(ends[0]);
    end(status);
}
