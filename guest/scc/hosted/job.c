/*
 * job.c: what the launcher said: number of ranks, the core clock in GHz, the
 * cores in the order of their ranks, and the own rank.
 *
 * Our kernel offers it as a file. It is read without stdio and strtod, which
 * would cost each job as much as all else of its start.
 */
#include "scc/job.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "scc/say.h"

#define LAUNCH_FILE "/proc/rck/launch"
/* A file of 48 cores; one of 512, as ranges or one by one. */
#define SHORT_TEXT 512
#define LONG_TEXT 4096

static struct scc_job job;

/* A decimal number at `*at`, which moves behind it; -1: there is none. */
static long number(const char **at)
{
    const char *from = *at;
    long value = 0;

    for (; **at >= '0' && **at <= '9'; ++*at) {
        value = value * 10 + (**at - '0');
        if (value > 100000000)
            return -1;
    }
    return *at == from ? -1 : value;
}

/* A decimal fraction such as 0.533, of at most nine digits; 0: it is none. */
static double fraction(const char **at)
{
    long digits = 0, scale = 0;

    for (; (**at >= '0' && **at <= '9') || **at == '.'; ++*at) {
        if (**at == '.' && !scale) {
            scale = 1;
            continue;
        }
        if (**at == '.' || digits >= 100000000 || scale > 100000000)
            return 0;
        digits = digits * 10 + (**at - '0');
        scale *= 10;
    }
    return (double)digits / (double)(scale ? scale : 1);
}

static int ends(const char *at)
{
    return *at == 0 || *at == ' ' || *at == '\n';
}

/* One core or a range (0-127), for the ranks from `rank` on; how many ranks
 * are known then, 0: it makes no sense. */
static int take_cores(const char **at, int rank, int ranks)
{
    long core = number(at), last = core;

    if (core >= 0 && **at == '-') {
        ++*at;
        last = number(at);
    }
    if (!ends(*at) || core < 0 || last < core || last >= SCC_MOST_CORES ||
        last - core >= ranks - rank)
        return 0;
    while (core <= last)
        job.core_of[rank++] = (int)core++;
    return rank;
}

/* Ranks and clock; 0: they make no sense. */
static int take_head(const char *ranks, const char *ghz)
{
    long count = number(&ranks);

    if (!ends(ranks) || count < 1 || count > SCC_MOST_CORES)
        return 0;
    job.ghz = fraction(&ghz);
    job.ranks = ends(ghz) && job.ghz > 0 ? (int)count : 0;
    job.rank = job.core = -1;
    return job.ranks;
}

int scc_job_from_words(int count, char **words)
{
    int taken = 2;

    if (count < 2 || !take_head(words[0], words[1]))
        return 0;
    for (int rank = 0; rank < job.ranks; taken++) {
        const char *at = words[taken];

        if (taken == count || !(rank = take_cores(&at, rank, job.ranks))) {
            job.ranks = 0;
            return 0;
        }
    }
    return taken;
}

static const char *next_word(const char *at)
{
    while (!ends(at))
        at++;
    while (*at == ' ' || *at == '\n')
        at++;
    return at;
}

static int take_text(const char *text)
{
    const char *at = next_word(text);
    long own;

    if (!take_head(text, at))
        return 0;
    at = next_word(at);
    for (int rank = 0; rank < job.ranks; at = next_word(at))
        if (!(rank = take_cores(&at, rank, job.ranks)))
            return 0;
    own = number(&at);
    if (own >= 0 && own < job.ranks) {
        job.rank = (int)own;
        job.core = job.core_of[own];
    }
    return 1;
}

/* -1: the text is longer than the room for it. */
static int read_file(size_t room)
{
    char text[room];
    int fd = open(LAUNCH_FILE, O_RDONLY);
    ssize_t length = fd < 0 ? -1 : read(fd, text, room - 1);

    if (fd >= 0)
        close(fd);
    if (length <= 0)
        return 0;
    if ((size_t)length == room - 1)
        return -1;
    text[length] = 0;
    return take_text(text);
}

const struct scc_job *scc_job(void)
{
    static int asked;

    if (!asked && !job.ranks) {
        int known = read_file(SHORT_TEXT);

        if (known < 0)
            known = read_file(LONG_TEXT);
        if (known <= 0)
            job.ranks = 0;
    }
    asked = 1;
    return job.ranks ? &job : NULL;
}

static void refuse_chip(const char *library)
{
    char name[16] = "";

    for (int n = 0; library[n] && n < (int)sizeof name - 1; n++)
        name[n] = (char)toupper(library[n]);
    /* All ranks find the same; one says it. */
    if (job.rank != 0)
        exit(SCC_EXIT_FAILED);
    scc_fail(library, "leave out --chip", "%s needs an SCC of 48 cores", name);
}

const struct scc_job *scc_job_on_the_scc(const char *library)
{
    const struct scc_job *known = scc_job();

    if (!known || known->rank < 0)
        scc_fail(library, "run the program by `rck run`", "no launch data");
    for (int rank = 0; rank < known->ranks; rank++)
        if (known->core_of[rank] >= SCC_CORES)
            refuse_chip(library);
    return known;
}
