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

/* Fills in the launch data from words as the launcher orders them; returns
 * how many words that took, 0 when they make no sense. */
static int take_words(int count, char **words)
{
    char *end;

    if (count < 2)
        return 0;
    long ues = strtol(words[0], &end, 10);
    if (*end || ues < 1 || ues > RCCE_MAXNP || count < ues + 2)
        return 0;
    double ghz = strtod(words[1], &end);
    if (*end || ghz <= 0)
        return 0;
    for (int ue = 0; ue < ues; ue++) {
        long core = strtol(words[ue + 2], &end, 10);
        if (*end || core < 0 || core >= RCCE_MAXNP)
            return 0;
        rcce_core_of[ue] = (int)core;
    }
    rcce_ues = (int)ues;
    rcce_ghz = ghz;
    return rcce_ues + 2;
}

static int read_launch_file(void)
{
    char text[512];
    char *words[RCCE_MAXNP + 3];
    int count = 0;
    int fd = open(LAUNCH_FILE, O_RDONLY);

    if (fd < 0)
        return 0;
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    if (length <= 0)
        return 0;
    text[length] = 0;
    for (char *word = strtok(text, " \n"); word && count < RCCE_MAXNP + 3;
         word = strtok(NULL, " \n"))
        words[count++] = word;
    return take_words(count, words) > 0;
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
