// A system in a hundred lines on guest/scc alone: two cores, each claims its
// lines, sleeps until the other one rings, echoes, and says that it ends.
// run: -n 2 --cores 3,40 --tag none
// expect-match: (?s)^16 echoes, [1-9][0-9]* sleeps\n$
#include <stdio.h>

#include "scc/bell.h"
#include "scc/box.h"
#include "scc/claim.h"
#include "scc/end.h"
#include "scc/job.h"
#include "scc/map.h"
#include "scc/say.h"

#define NAME "echo"
#define ECHOES 16
/* Lines of each core's message buffer, behind the one that drains. */
enum { DRAIN, LINE, RECEIPT, STATE };
/* Words of the state's line, uncached. */
enum { ASLEEP, ENDED };

static const struct scc_job *job;
static volatile uint32_t *state[2];
static int me, sleeps;

static volatile uint32_t *line(int rank, int number)
{
    static volatile uint32_t *lines[2];

    if (!lines[rank])
        lines[rank] =
            scc_map(SCC_MPBT, scc_mpb_of(job->core_of[rank]), SCC_PAGE);
    return lines[rank] + number * (int)SCC_LINE_WORDS;
}

/* The peer sees it when it looks, and is woken to look. */
static void end(void)
{
    state[!me][ENDED] = 1;
    scc_bell_ring(job->core_of[!me]);
}

static void died(int signal)
{
    (void)signal;
    end();
}

static void open_echo(void)
{
    job = scc_job_on_the_scc(NAME);
    me = job->rank;
    if (job->ranks != 2)
        scc_fail(NAME, "rck run -n 2", "two cores echo, not %d", job->ranks);
    scc_claim(SCC_MPB_LINE, SCC_TOGETHER, DRAIN, 1, NAME);
    scc_claim(SCC_MPB_LINE, SCC_ALONE, LINE, 3, NAME);
    for (int rank = 0; rank < 2; rank++)
        state[rank] =
            (volatile uint32_t *)scc_map(
                SCC_UNCACHED, scc_mpb_of(job->core_of[rank]), SCC_PAGE) +
            STATE * SCC_LINE_WORDS;
    if (!scc_bell_open())
        scc_fail(NAME, "use our kernel", "no interrupts come in");
    scc_guard(end, died);
}

static void put(struct scc_box *box, const uint32_t *words)
{
    while (!scc_box_put(box, words))
        ;
    if (state[!me][ASLEEP])
        scc_bell_ring(job->core_of[!me]);
}

/* The last look comes after the word that says "asleep". 0: the peer ended. */
static int take(struct scc_box *box, uint32_t *words)
{
    while (!scc_box_take(box, words)) {
        state[me][ASLEEP] = 1;
        if (scc_box_take(box, words)) {
            state[me][ASLEEP] = 0;
            return 1;
        }
        if (state[me][ENDED])
            return 0;
        sleeps++;
        scc_bell_sleep(SCC_NEVER, NULL, 0);
        state[me][ASLEEP] = 0;
    }
    return 1;
}

int main(void)
{
    uint32_t words[SCC_BOX_WORDS] = {0};
    int echoes = 0;

    open_echo();
    struct scc_box out = {line(!me, LINE), line(me, RECEIPT), line(me, DRAIN),
                          0};
    struct scc_box in = {line(me, LINE), line(!me, RECEIPT), line(me, DRAIN),
                         0};

    while (me == 0 && echoes < ECHOES) {
        put(&out, words);
        echoes += take(&in, words) && words[0]++ == (uint32_t)echoes;
    }
    while (me == 1 && take(&in, words))
        put(&out, words);
    if (me == 0)
        printf("%d echoes, %d sleeps\n", echoes, sleeps);
    return 0;
}
