/*
 * console.c: says that the core is ready, then waits at its COM1, without an
 * echo, for one line.
 *
 *   shell             a login shell
 *   run COMMAND       COMMAND in a shell, its output as it is; then Linux ends
 *                     with its exit code
 *
 * So a snapshot of a booted chip serves both: whoever continues it types the
 * line.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define LINE 4000

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
static void end(int code)
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

static int run(const char *command)
{
    pid_t child = fork();
    int status;

    if (child == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    while (child < 0 || waitpid(child, &status, 0) < 0)
        return 126;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(void)
{
    static char line[LINE], name[65];

    gethostname(name, sizeof name - 1);
    set_terminal(0);
    printf("%s is ready\r\n", name);
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin))
        return 1;
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "run ", 4) == 0)
        end(run(line + 4));
    set_terminal(1);
    setenv("HOME", "/root", 1);
    setenv("TERM", "vt102", 0);
    execl("/bin/sh", "-sh", (char *)NULL);
    perror("console: /bin/sh");
    return 1;
}
