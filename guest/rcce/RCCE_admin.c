/*
 * RCCE_admin.c: start, end, who am I, what time is it.
 *
 * The launcher tells every UE the number of UEs, the core clock in GHz and
 * the physical cores in the order of their ranks. Our kernel offers this as
 * a file; other launchers put it in front of the program's own arguments,
 * from where RCCE_init takes it away.
 */
#include "RCCE_lib.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define LAUNCH_FILE "/proc/rck/launch"

/* Half of a UE's MPB. Of the rest the flags for 48 partners take 3 KB; the
 * 29 lines that stay free are for the flags of 14 communicators. */
#define MESSAGE_BUFFER (RCCE_BUFF_SIZE_MAX / 2)

int rcce_my_rank;
int rcce_ues;
int rcce_core_of[RCCE_MAXNP];
double rcce_ghz;

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

int rcce_valid_ue(int ue)
{
    return ue >= 0 && ue < rcce_ues;
}

/* Fills in the launch data from words as the launcher orders them; returns
 * how many words that took, 0 when they make no sense. */
static int take_launch_words(int count, char **words)
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
    return take_launch_words(count, words) > 0;
}

/* prog NUE GHz id0 id1 ... own arguments -> prog own arguments */
static int read_launch_arguments(int *argc, char ***argv)
{
    if (!argc || !argv || !*argv)
        return 0;
    int taken = take_launch_words(*argc - 1, *argv + 1);
    if (taken == 0)
        return 0;
    (*argv)[taken] = (*argv)[0];
    *argv += taken;
    *argc -= taken;
    return 1;
}

static int everyone(int ue, void *aux)
{
    (void)ue;
    (void)aux;
    return 0;
}

/* What basic and gory programs have in common, up to the flags of
 * RCCE_COMM_WORLD. */
static int start(int *argc, char ***argv)
{
    if (!read_launch_file() && !read_launch_arguments(argc, argv))
        return RCCE_ERROR_NUM_UES;
    int core = rcce_read_core_id();
    rcce_my_rank = -1;
    for (int ue = 0; ue < rcce_ues; ue++)
        if (rcce_core_of[ue] == core)
            rcce_my_rank = ue;
    if (rcce_my_rank < 0)
        return RCCE_ERROR_CORE_NOT_IN_HOSTFILE;
    if (!rcce_map_buffers())
        return RCCE_ERROR_MALLOC;
    rcce_malloc_reset();
    RCCE_COMM_WORLD.initialized = 0;
    return RCCE_comm_split(everyone, NULL, &RCCE_COMM_WORLD);
}

/* Flags for every possible partner, then the message buffer: the same
 * layout for every number of UEs. */
static int open_channels(void)
{
    for (int ue = 0; ue < RCCE_MAXNP; ue++) {
        int error = RCCE_flag_alloc(&rcce_sent_flag[ue]);
        if (!error)
            error = RCCE_flag_alloc(&rcce_ready_flag[ue]);
        if (error)
            return error;
    }
    rcce_combuf = RCCE_malloc(MESSAGE_BUFFER);
    rcce_chunk = MESSAGE_BUFFER;
    return rcce_combuf ? RCCE_SUCCESS : RCCE_ERROR_MALLOC;
}

int RCCE_init(int *argc, char ***argv)
{
    int error = start(argc, argv);
    if (!error)
        error = open_channels();
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    /* From here on every UE is known to have started. */
    return RCCE_barrier(&RCCE_COMM_WORLD);
}

/* As RCCE_init, but the message buffer stays free for RCCE_malloc. */
int RCCE_init_gory(int *argc, char ***argv)
{
    int error = start(argc, argv);
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    return RCCE_barrier(&RCCE_COMM_WORLD);
}

/* Waits for all and leaves MPB and lock as a new job expects them: zero and
 * free. After the barrier nobody writes into this MPB any more, and the
 * first member has read this UE's flag. */
int RCCE_finalize(void)
{
    static const uint32_t zero[RCCE_LINE_WORDS];

    int error = RCCE_barrier(&RCCE_COMM_WORLD);
    if (error)
        return error;
    /* No store may hit a line in L1 and stay there. */
    rcce_invalidate_mpb();
    for (size_t at = 0; at < RCCE_BUFFER_BYTES; at += RCCE_LINE_SIZE)
        rcce_copy_lines(rcce_buffer[rcce_my_rank] + at, zero, RCCE_LINE_SIZE);
    rcce_push_wcb();
    error = RCCE_release_lock(rcce_my_rank);
    rcce_combuf = NULL;
    RCCE_COMM_WORLD.initialized = 0;
    rcce_malloc_reset();
    return error;
}

/* Seconds by the time stamp counter, which counts tile clocks from this
 * core's own reset: differences mean something, absolute values do not. */
double RCCE_wtime(void)
{
    uint32_t low, high;

    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (double)((uint64_t)high << 32 | low) / (rcce_ghz * 1e9);
}

int RCCE_ue(void)
{
    return rcce_my_rank;
}

int RCCE_num_ues(void)
{
    return rcce_ues;
}
