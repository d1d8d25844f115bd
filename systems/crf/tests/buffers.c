// System calls read and write shared pages that their core has not opened.
// cc: -O2 -pthread
// run: -n 2 --tag none --check coherence
// also-slow: --threads-model lazy
// also-slow: --threads-model strong
// expect-stdout:
// sent 12288 came 12288 sum 1566720 stat 0
// expect-stderr: no findings
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define BYTES 12288

struct job {
    char *from;
    long sent, came, sum;
    int stat;
};

/* What the other core wrote goes out; memory that nobody has touched takes
 * what comes in. */
static void *carry(void *argument)
{
    struct job *job = argument;
    char *to = malloc(BYTES);
    struct stat *found = malloc(sizeof *found);
    struct iovec halves[2] = {{to, BYTES / 2}, {to + BYTES / 2, BYTES / 2}};
    int ends[2];

    if (pipe(ends) != 0)
        return NULL;
    job->sent = write(ends[1], job->from, BYTES);
    job->came = readv(ends[0], halves, 2);
    for (int i = 0; i < BYTES; i++)
        job->sum += (unsigned char)to[i];
    job->stat = fstat(ends[0], found);
    return NULL;
}

int main(void)
{
    struct job job = {.from = malloc(BYTES)};
    pthread_t thread;

    for (int i = 0; i < BYTES; i++)
        job.from[i] = (char)i;
    pthread_create(&thread, NULL, carry, &job);
    pthread_join(thread, NULL);
    printf("sent %ld came %ld sum %ld stat %d\n", job.sent, job.came, job.sum,
           job.stat);
    return 0;
}
