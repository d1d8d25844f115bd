/*
 * console.c: says that the core is ready, then does what is typed at its COM1,
 * line by line and without an echo.
 *
 *   launch RANKS GHZ CORE ...   what message-passing libraries ask of their
 *                               launcher: the job that this core is part of
 *   free                        the message buffers are the job's: mb0 goes
 *                               down, here and on all other cores of the job
 *   mount NUMBER PLACE [ro]     a folder of the host, by its number
 *   cd PLACE                    where the command begins
 *   start PROGRAM WORD ...      the program, its output as it is, stderr on
 *                               COM2; then Linux ends with its exit code. What
 *                               stands in quotes is part of a word
 *   run COMMAND                 COMMAND in a shell, likewise
 *   shell                       a login shell
 *
 * So a snapshot of a booted chip serves all of it: whoever continues it types
 * the lines.
 */
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "../kernel/devices/rckmb_ring.h"
#include "scc/memory_map.h"
#include "scc/registers.h"

#define LINE 4000
#define CORES (2 * SCC_CRB_BASE_COUNT)
#define PAGE 4096
#define POLL_US 200

static int job[CORES], ranks, own_core;

static void set_terminal(int interactive)
{
    struct termios settings;

    if (tcgetattr(STDIN_FILENO, &settings))
        return;
    if (interactive) {
        settings.c_lflag |= ECHO | ECHOE | ECHOK;
        settings.c_oflag |= OPOST | ONLCR;
    } else {
        settings.c_lflag &= ~(tcflag_t)ECHO;
        settings.c_oflag &= ~(tcflag_t)OPOST;
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &settings);
}

/* Linux ends on this core with that exit code; what was written has left. */
static _Noreturn void end(int code)
{
    int device = open("/dev/rckexit", O_WRONLY);
    char text[4];
    int length = snprintf(text, sizeof text, "%d", code & 0xff);

    sync();
    tcdrain(STDOUT_FILENO);
    if (device < 0 || write(device, text, (size_t)length) < 0)
        perror("console: /dev/rckexit");
    _exit(1);
}

static _Noreturn void fail(const char *what)
{
    perror(what);
    end(126);
}

static void open_as(int wanted, const char *path, int flags)
{
    int file = open(path, flags);

    if (file >= 0 && file != wanted) {
        dup2(file, wanted);
        close(file);
    }
}

static _Noreturn void become(char **words)
{
    static char *shell[LINE / 2 + 2] = {"sh"};

    open_as(STDIN_FILENO, "/dev/null", O_RDONLY);
    open_as(STDERR_FILENO, "/dev/rckerr", O_WRONLY);
    execvp(words[0], words);
    if (errno == ENOEXEC) {
        /* A script that names no interpreter. */
        for (int n = 0; words[n]; n++)
            shell[n + 1] = words[n];
        execv("/bin/sh", shell);
    }
    int code = errno == ENOENT ? 127 : 126;
    perror(words[0]);
    _exit(code);
}

static int run(char **words)
{
    pid_t child = fork();
    int status;

    if (child == 0)
        become(words);
    while (child < 0 || waitpid(child, &status, 0) < 0)
        return 126;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Splits a line in its place. A shell that only starts a program would cost a
 * core as much as the program's own start. */
static char **split(char *at)
{
    static char *words[LINE / 2 + 1];
    char *to = at;
    int count = 0;

    while (*at) {
        words[count++] = to;
        while (*at && *at != ' ') {
            char quote = *at;

            if (quote != '\'' && quote != '"') {
                *to++ = *at++;
                continue;
            }
            for (at++; *at && *at != quote;)
                *to++ = *at++;
            at += *at != '\0';
        }
        at += *at != '\0';
        *to++ = '\0';
    }
    words[count] = NULL;
    return words;
}

/* The words, and behind them the rank of this core. */
static void launch(const char *words)
{
    int rank = -1, used = 0, core;
    const char *at = words;
    FILE *file;

    if (sscanf(words, "%d %*f%n", &ranks, &used) < 1 || !used || ranks > CORES)
        fail("console: launch");
    at += used;
    for (int n = 0; n < ranks; n++, at += used) {
        if (sscanf(at, "%d%n", &core, &used) < 1 || core < 0 || core >= CORES)
            fail("console: launch");
        job[n] = core;
        if (core == own_core)
            rank = n;
    }
    file = fopen("/proc/rck/launch", "w");
    if (!file || fprintf(file, "%s %d\n", words, rank) < 0 || fclose(file))
        fail("console: /proc/rck/launch");
}

/* A ring that is closed leaves zeros, the mark as the last one. */
static void wait_for_ring(int memory, int core)
{
    off_t at = (off_t)SCC_MPB_BASE + core / 2 * (off_t)SCC_CRB_BASE_STRIDE +
               core % 2 * (off_t)SCC_MPB_SIZE_PER_CORE;
    volatile unsigned *mark =
        mmap(NULL, PAGE, PROT_READ, MAP_SHARED, memory, at);

    if (mark == MAP_FAILED)
        fail("console: /dev/rckncm");
    while (*mark == RCKMB_MARK)
        usleep(POLL_US);
    munmap((void *)mark, PAGE);
}

/* A program that asks or changes it would cost a core more than a small job's
 * own start. */
static int packets_pass_by_dram(void)
{
    char way[8] = "";
    int file = open("/sys/module/rckmb/parameters/memory", O_RDONLY);

    if (file < 0 || read(file, way, sizeof way - 1) < 0)
        fail("console: rckmb.memory");
    close(file);
    return strncmp(way, "dram", 4) == 0;
}

static int network_down(void)
{
    struct ifreq request = {.ifr_name = "mb0"};
    int any = socket(AF_INET, SOCK_DGRAM, 0), result = -1;

    if (any >= 0 && ioctl(any, SIOCGIFFLAGS, &request) == 0) {
        request.ifr_flags &= ~IFF_UP;
        result = ioctl(any, SIOCSIFFLAGS, &request);
    }
    close(any);
    return result;
}

/* Nobody may use a buffer while a ring is in another one of the job: its owner
 * would clear it after that. */
static void free_buffers(void)
{
    int memory = open("/dev/rckncm", O_RDONLY);

    if (packets_pass_by_dram())
        return;
    if (memory < 0 || network_down())
        fail("console: mb0");
    for (int rank = 0; rank < ranks; rank++)
        wait_for_ring(memory, job[rank]);
    close(memory);
}

/* Faster than a program that does it, once on each core. */
static void mount_folder(const char *words)
{
    char place[33], read_only[4] = "", options[64];
    int number;

    if (sscanf(words, "%d %32s %3s", &number, place, read_only) < 2)
        fail("console: mount");
    snprintf(options, sizeof options, "trans=scc,version=9p2000.L,aname=%d",
             number);
    if (mount("host", place, "9p", *read_only ? MS_RDONLY : 0, options))
        fail("console: mount");
}

/* Whoever sat at a shell and left it finds the next one at once: this file is
 * there when init starts the console again. */
#define SHELL_MARK "/tmp/.console-shell"

static int shell(void)
{
    close(open(SHELL_MARK, O_WRONLY | O_CREAT, 0600));
    set_terminal(1);
    setenv("HOME", "/root", 1);
    setenv("TERM", "vt102", 0);
    execl("/bin/sh", "-sh", (char *)NULL);
    perror("console: /bin/sh");
    return 1;
}

/* Whether the line is one of the words above, but for `shell`. */
static int obey(char *line)
{
    char *rest = line + strcspn(line, " ");

    if (*rest)
        *rest++ = '\0';
    if (strcmp(line, "run") == 0)
        end(run((char *[]){"/bin/sh", "-c", rest, NULL}));
    else if (strcmp(line, "start") == 0)
        end(run(split(rest)));
    else if (strcmp(line, "launch") == 0)
        launch(rest);
    else if (strcmp(line, "free") == 0)
        free_buffers();
    else if (strcmp(line, "mount") == 0)
        mount_folder(rest);
    else if (strcmp(line, "cd") != 0)
        return 0;
    else if (chdir(rest))
        fail("console: cd");
    return 1;
}

int main(void)
{
    static char line[LINE], name[65];

    gethostname(name, sizeof name - 1);
    own_core = atoi(name + strcspn(name, "0123456789"));
    if (access(SHELL_MARK, F_OK) == 0)
        return shell();
    set_terminal(0);
    printf("%s is ready\r\n", name);
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (!obey(line))
            return shell();
    }
    return 1;
}
