// What programs read below /proc: their memory's ranges, their size and
// threads, their name, image and arguments, the machine.
// run: -n 1 -- one two
// also-slow: --kernel l4
// expect-stdout:
// maps: main in it r-xp, data rw, local in [stack] rw, block in a range
// maps by pieces of 7 bytes: equal
// status: Name proc, Pid as getpid, Threads 1, VmRSS below VmPeak: 1
// 8 MB more: VmSize grows by 8 MB, statm agrees
// exe leads to proc: 1, begins with ELF: 1
// cmdline: proc one two
// comm: proc
// cpuinfo: 1 processor, MHz of 1 core
// meminfo: total, free, available: 1
// by its number: 1
// stat: its number, (proc), state R
// uptime and loadavg: 1
// resident at most: 1
// refused: -1 2, -1 13, -1 13
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static int data = 1;

static const char *text_of(const char *name)
{
    static char text[16384];
    int fd = open(name, O_RDONLY);
    ssize_t length = read(fd, text, sizeof text - 1);

    text[length > 0 ? length : 0] = 0;
    close(fd);
    return text;
}

/* The line of maps that has an address. */
static const char *range_of(const void *address)
{
    static char line[256];
    FILE *maps = fopen("/proc/self/maps", "r");
    int found = 0;

    while (!found && fgets(line, sizeof line, maps)) {
        unsigned long start, end;

        found = sscanf(line, "%lx-%lx", &start, &end) == 2 &&
                (unsigned long)address >= start && (unsigned long)address < end;
    }
    fclose(maps);
    return found ? line : "";
}

static void show_maps(void)
{
    int local;
    char *block = malloc(200000), *whole, piece[7];
    ssize_t length, at = 0;
    int equal = 1, fd;

    printf("maps: main in it %s, data %s, local in %s, block in %s\n",
           strstr(range_of((void *)show_maps), "r-xp") ? "r-xp" : "?",
           strstr(range_of(&data), " rw") ? "rw" : "?",
           strstr(range_of(&local), "[stack]") &&
                   strstr(range_of(&local), " rw")
               ? "[stack] rw"
               : "?",
           *range_of(block) ? "a range" : "?");
    free(block);
    whole = strdup(text_of("/proc/self/maps"));
    whole = strdup(text_of("/proc/self/maps"));
    fd = open("/proc/self/maps", O_RDONLY);
    while ((length = read(fd, piece, sizeof piece)) > 0) {
        equal &= memcmp(piece, whole + at, (size_t)length) == 0;
        at += length;
    }
    close(fd);
    printf("maps by pieces of 7 bytes: %s\n",
           equal && whole[at] == 0 ? "equal" : "different");
}

static long field(const char *text, const char *name)
{
    const char *at = strstr(text, name);

    return at ? strtol(at + strlen(name), NULL, 10) : -1;
}

static void show_status(void)
{
    const char *status = text_of("/proc/self/status");
    long before, after, pages;

    printf("status: Name %s, Pid %s, Threads %ld, VmRSS below VmPeak: %d\n",
           strstr(status, "Name:\tproc\n") ? "proc" : "?",
           field(status, "Pid:") == getpid() ? "as getpid" : "?",
           field(status, "Threads:"),
           field(status, "VmRSS:") > 0 &&
               field(status, "VmRSS:") <= field(status, "VmPeak:"));
    before = field(status, "VmSize:");
    mmap(NULL, 8 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
         0);
    after = field(text_of("/proc/self/status"), "VmSize:");
    pages = strtol(text_of("/proc/self/statm"), NULL, 10);
    printf("8 MB more: VmSize grows by %ld MB, statm %s\n",
           (after - before) / 1024, pages * 4 == after ? "agrees" : "differs");
}

static void show_image(void)
{
    char link[256] = "";
    const char *end;

    readlink("/proc/self/exe", link, sizeof link - 1);
    end = strrchr(link, '/');
    printf("exe leads to proc: %d, begins with ELF: %d\n",
           end && strcmp(end, "/proc") == 0,
           memcmp(text_of("/proc/self/exe"), "\177ELF", 4) == 0);
}

static void show_arguments(void)
{
    const char *text = text_of("/proc/self/cmdline"), *name = text;

    for (const char *c = text; *c; c++)
        if (*c == '/')
            name = c + 1;
    text += strlen(text) + 1;
    printf("cmdline: %s %s %s\n", name, text, text + strlen(text) + 1);
    printf("comm: %s", text_of("/proc/self/comm"));
}

static void show_machine(void)
{
    const char *text = text_of("/proc/cpuinfo");
    int processors = 0;

    for (const char *at = text; (at = strstr(at, "processor\t:")); at++)
        processors++;
    printf("cpuinfo: %d processor, MHz of %ld core\n", processors,
           strstr(text, "cpu MHz\t\t: 533.") ? field(text, "cpu cores\t:") : 0);
    text = text_of("/proc/meminfo");
    printf("meminfo: total, free, available: %d\n",
           field(text, "MemTotal:") > field(text, "MemFree:") &&
               field(text, "MemFree:") > 0 &&
               field(text, "MemAvailable:") == field(text, "MemFree:"));
}

static void show_others(void)
{
    char name[64], state = '?', command[16] = "";
    struct rusage usage;
    float one, two, three;
    int number = 0, ok;

    snprintf(name, sizeof name, "/proc/%d/status", getpid());
    printf("by its number: %d\n", field(text_of(name), "Pid:") == getpid());
    sscanf(text_of("/proc/self/stat"), "%d %15s %c", &number, command, &state);
    printf("stat: %s, %s, state %c\n", number == getpid() ? "its number" : "?",
           command, state);
    ok = sscanf(text_of("/proc/uptime"), "%f %f", &one, &two) == 2;
    ok &= sscanf(text_of("/proc/loadavg"), "%f %f %f", &one, &two, &three) == 3;
    printf("uptime and loadavg: %d\n", ok);
    getrusage(RUSAGE_SELF, &usage);
    printf("resident at most: %d\n",
           usage.ru_maxrss > 0 &&
               usage.ru_maxrss <=
                   field(text_of("/proc/self/status"), "VmHWM:"));
}

static int refused(const char *name, int flags)
{
    int fd = open(name, flags);

    return fd < 0 ? errno : 0;
}

int main(void)
{
    show_maps();
    show_status();
    show_image();
    show_arguments();
    show_machine();
    show_others();
    printf("refused: -1 %d, -1 %d, -1 %d\n", refused("/proc/self/mem", O_RDWR),
           refused("/proc/self", O_RDONLY),
           refused("/proc/self/maps", O_WRONLY));
    return 0;
}
