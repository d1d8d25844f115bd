/* init.c: the first program of a small Linux: processes, a pipe, the number of
 * processors, and the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int processors(void)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    int count = 0;

    while (file && fgets(line, sizeof(line), file))
        count += strncmp(line, "processor", 9) == 0;
    return count;
}

int main(void)
{
    struct utsname name;
    char bytes[8];
    int ends[2], status = 0, well;
    ssize_t got;

    uname(&name);
    printf("init: %s %s %s\n", name.sysname, name.release, name.version);
    mount("proc", "/proc", "proc", 0, NULL);
    printf("init: %d processors\n", processors());
    fflush(stdout);
    if (pipe(ends) != 0)
        return 1;
    if (fork() == 0) {
        if (write(ends[1], "child", 5) != 5)
            _exit(4);
        _exit(3);
    }
    got = read(ends[0], bytes, sizeof(bytes));
    wait(&status);
    printf("init: a child wrote %d bytes and ended with %d\n", (int)got,
           WEXITSTATUS(status));
    well = got == 5 && WIFEXITED(status) && WEXITSTATUS(status) == 3;
    printf("init: %s\n", well ? "all is well" : "FAILED");
    fflush(stdout);
    tcdrain(1);
    return reboot(RB_AUTOBOOT);
}
