/*
 * each.c: a program of `rck smp --share DIR`, which runs those of a list one
 * after the other, in one boot: `each LIST SECONDS`, a file with a name a line, and
 * how long each of a program's processes may work. Before a program it prints `@@ begin NAME`, and afterwards the end of what the
 * program has said, and `@@ end NAME exit|signal|late CODE`.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_S 60   /* simulated, of which a program may sleep all */
#define LAST_WORDS 1200 /* bytes */
#define TOLD "/tmp/told"
#define COPY "/tmp/test"
#define LIST "/bin/ls" /* this program under another name */

/* What a program of root asks of a small system. */
static void furnish(void)
{
    FILE *users;
    char own[256] = "";

    mkdir("/bin", 0755);
    if (readlink("/proc/self/exe", own, sizeof(own) - 1) > 0)
        symlink(own, LIST);
    mkdir("/dev/shm", 0777);
    mount("shm", "/dev/shm", "tmpfs", 0, NULL);
    mkdir("/etc", 0755);
    users = fopen("/etc/passwd", "w");
    if (users) {
        fputs("root:x:0:0:root:/tmp:/none\nnobody:x:99:99:nobody:/tmp:/none\n",
              users);
        fclose(users);
    }
    chmod("/tmp", 01777);
}

static int list_here(void)
{
    DIR *list = opendir(".");
    struct dirent *entry;

    while (list && (entry = readdir(list)))
        puts(entry->d_name);
    return list ? 0 : 2;
}

static void empty(const char *folder)
{
    DIR *list = opendir(folder);
    struct dirent *entry;

    if (!list || chdir(folder) != 0)
        return;
    while ((entry = readdir(list)))
        if (entry->d_name[0] != '.')
            remove(entry->d_name);
    closedir(list);
}

static int copy(const char *name)
{
    static char bytes[32768];
    int from = open(name, O_RDONLY), to = creat(COPY, 0755), failed = 0;
    ssize_t count;

    while (!failed && (count = read(from, bytes, sizeof(bytes))) > 0)
        failed = write(to, bytes, (size_t)count) != count;
    failed |= from < 0 || to < 0;
    close(from);
    close(to);
    return failed ? -1 : 0;
}

static void become(const char *name, rlim_t seconds)
{
    const struct rlimit limit = {seconds, 2 * seconds};
    int told = open(TOLD, O_CREAT | O_TRUNC | O_WRONLY | O_APPEND, 0666);
    sigset_t none;

    setsid();
    setrlimit(RLIMIT_CPU, &limit);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    dup2(open("/dev/null", O_RDONLY), 0);
    dup2(told, 1);
    dup2(told, 2);
    for (int file = 3; file < 16; file++)
        close(file);
    execl(COPY, COPY, (char *)NULL); /* some start themselves again */
    perror(name);
    _exit(127);
}

/* The status of a program, or -1 if it had to be killed. */
static int wait_for(pid_t program)
{
    struct timespec left = {PATIENCE_S, 0};
    sigset_t child_ends;
    int status = 0, late = 0;

    sigemptyset(&child_ends);
    sigaddset(&child_ends, SIGCHLD);
    while (waitpid(program, &status, late ? 0 : WNOHANG) == 0)
        if (sigtimedwait(&child_ends, NULL, &left) < 0 && errno == EAGAIN) {
            kill(-program, SIGKILL);
            late = 1;
        }
    kill(-program, SIGKILL);
    return late ? -1 : status;
}

static void tell_last_words(void)
{
    char words[LAST_WORDS + 1];
    FILE *file = fopen(TOLD, "r");
    size_t count;

    if (!file)
        return;
    if (fseek(file, -LAST_WORDS, SEEK_END) != 0)
        rewind(file);
    count = fread(words, 1, LAST_WORDS, file);
    words[count] = 0;
    printf("%s%s", words, count && words[count - 1] != '\n' ? "\n" : "");
    fclose(file);
}

static void run(const char *name, rlim_t seconds)
{
    char path[256];
    pid_t program;
    int status;

    printf("@@ begin %s\n", name);
    fflush(stdout);
    snprintf(path, sizeof(path), "/share/%s", name);
    if (copy(path) != 0) {
        printf("%s: %s\n@@ end %s exit 127\n", path, strerror(errno), name);
        return;
    }
    program = fork();
    if (program == 0)
        become(name, seconds);
    status = wait_for(program);
    tell_last_words();
    if (status == -1 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
        printf("@@ end %s late 0\n", name);
    else if (WIFSIGNALED(status))
        printf("@@ end %s signal %d\n", name, WTERMSIG(status));
    else
        printf("@@ end %s exit %d\n", name, WEXITSTATUS(status));
    fflush(stdout);
    empty("/dev/shm");
    empty("/tmp");
}

int main(int count, char **words)
{
    FILE *list = count == 3 ? fopen(words[1], "r") : NULL;
    char name[200];
    sigset_t child_ends;

    if (strcmp(words[0], "ls") == 0)
        return list_here();
    if (!list) {
        fputs("each LIST SECONDS\n", stderr);
        return 2;
    }
    sigemptyset(&child_ends);
    sigaddset(&child_ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ends, NULL);
    furnish();
    empty("/tmp");
    while (fscanf(list, "%199s", name) == 1)
        run(name, (rlim_t)atoi(words[2]));
    return 0;
}
