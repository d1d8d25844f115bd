/*
 * RCCE_launch.c: the number of UEs, the core clock in GHz and the physical
 * cores in the order of their ranks, as the launcher tells them.
 *
 * Our kernel offers this as a file; other launchers put it in front of the
 * program's own arguments, from where RCCE_init takes it away.
 */
#include "RCCE_lib.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define LAUNCH_FILE "/proc/rck/launch"

/* Marks programs that learn their launch data from LAUNCH_FILE: launchers
 * leave the argument list of such a program alone. ELF note layout: sizes
 * of name and description, type, name, description. */
struct launch_note {
    uint32_t name_bytes, description_bytes, type;
    char name[12];
    char description[4];
};
__attribute__((section(".note.rockcreek"), used,
               aligned(4))) static const struct launch_note launch_note = {
    sizeof "rockcreek", 4, 1, "rockcreek", {'R', 'C', 'C', 'E'},
};

/* Takes cores from a word, one number or a range (0-127); the UEs known
 * then, or 0. */
static int take_cores(const char *word, int ue, int ues)
{
    char *end;
    long core = strtol(word, &end, 10), last = core;

    if (*end == '-')
        last = strtol(end + 1, &end, 10);
    if (*end || core < 0 || last < core || last >= RCCE_MOST_UES ||
        last - core >= ues - ue)
        return 0;
    while (core <= last)
        rcce_core_of[ue++] = (int)core++;
    return ue;
}

/* A decimal fraction such as 0.533, of at most nine digits; 0 when it is none.
 * The general strtod costs every job as much as all else here. */
static double take_ghz(const char *word)
{
    long digits = 0, scale = 0;

    for (; *word; word++) {
        if (*word == '.' && !scale) {
            scale = 1;
            continue;
        }
        if (*word < '0' || *word > '9' || digits >= 100000000 ||
            scale > 100000000)
            return 0;
        digits = digits * 10 + (*word - '0');
        scale *= 10;
    }
    return (double)digits / (double)(scale ? scale : 1);
}

/* Fills in the launch data from words as the launcher orders them; returns
 * how many words that took, 0 when they make no sense. */
static int take_words(int count, char **words)
{
    char *end;

    if (count < 2)
        return 0;
    long ues = strtol(words[0], &end, 10);
    if (*end || ues < 1 || ues > RCCE_MOST_UES || !rcce_open_tables((int)ues))
        return 0;
    double ghz = take_ghz(words[1]);
    if (ghz <= 0)
        return 0;
    int taken = 2;
    for (int ue = 0; ue < ues;) {
        if (taken == count)
            return 0;
        ue = take_cores(words[taken++], ue, (int)ues);
        if (ue == 0)
            return 0;
    }
    rcce_ues = (int)ues;
    rcce_ghz = ghz;
    return taken;
}

/* Up to so many words; -1 when the text is longer than the room for it. */
static int read_launch_words(size_t room, int most)
{
    char text[room];
    char *words[most];
    int count = 0;
    int fd = open(LAUNCH_FILE, O_RDONLY);

    if (fd < 0)
        return 0;
    ssize_t length = read(fd, text, room - 1);
    close(fd);
    if (length <= 0)
        return 0;
    if ((size_t)length == room - 1)
        return -1;
    text[length] = 0;
    for (char *word = strtok(text, " \n"); word && count < most;
         word = strtok(NULL, " \n"))
        words[count++] = word;
    return take_words(count, words) > 0;
}

static int read_launch_file(void)
{
    int known = read_launch_words(512, RCCE_MAXNP + 3);

    return known < 0 ? read_launch_words(4096, RCCE_MOST_UES + 3) > 0 : known;
}

/* prog NUE GHz id0 id1 ... own arguments -> prog own arguments */
static int read_launch_arguments(int *argc, char ***argv)
{
    if (!argc || !argv || !*argv)
        return 0;
    int taken = take_words(*argc - 1, *argv + 1);
    if (taken == 0)
        return 0;
    (*argv)[taken] = (*argv)[0];
    *argv += taken;
    *argc -= taken;
    return 1;
}

int rcce_read_launch(int *argc, char ***argv)
{
    return read_launch_file() || read_launch_arguments(argc, argv);
}
