/* The job that runs this program: ranks, cores, the clock. Hosted half. */
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

/* The launcher's description of the job, read at the first call; NULL if there
 * is none, or if it is invalid. */
const struct scc_job *scc_job(void);
/* Reads a job from words, "ranks GHz core core ..." with cores as numbers or
 * ranges (0-127), for launchers that put it in front of a program's own
 * arguments. Returns the number of words read; 0 if they are invalid. */
int scc_job_from_words(int count, char **words);
/* The job, on the SCC only. Without a job, or on a larger chip, ends the
 * program with an error of `library`. */
const struct scc_job *scc_job_on_the_scc(const char *library);

#ifdef __cplusplus
}
#endif

#endif
