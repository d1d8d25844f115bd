/* Who runs this program: ranks, cores, the clock. Hosted half. */
#ifndef SCC_JOB_H
#define SCC_JOB_H

#include "scc/place.h"

#ifdef __cplusplus
extern "C" {
#endif

struct scc_job {
    int ranks;
    int rank; /* the own one; -1: the launcher did not say */
    int core; /* the own one; -1: not known */
    double ghz;
    int core_of[SCC_MOST_CORES]; /* by rank */
};

/* What the launcher said, read at the first call; NULL if there was none, or
 * it makes no sense. */
const struct scc_job *scc_job(void);
/* Takes a job from words, "ranks GHz core core ..." with cores as numbers or
 * ranges (0-127), for launchers that put it in front of a program's own
 * arguments; how many words it takes, 0: it makes no sense. */
int scc_job_from_words(int count, char **words);
/* The job, on the SCC alone; without one, or on a larger chip, `library` ends
 * the program in words. */
const struct scc_job *scc_job_on_the_scc(const char *library);

#ifdef __cplusplus
}
#endif

#endif
