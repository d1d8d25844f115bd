/*
 * pipeline_run.c: the stream.
 *
 * A token says how many bytes a chunk has, in which slot of the queue it is,
 * and whether the stream ends. Private chunks follow their token. In shared
 * memory a stage may touch the slot whose token it has, and the last stage
 * gives it back to the first: tokens run round a ring. RCCE_send waits for
 * the receiver; with fewer tokens than stages some stage is always ready to
 * receive, so the ring cannot lock up. The end has a token of the ring, too.
 */
#include "pipeline.h"

struct token {
    size_t bytes;
    int slot;
    int end;
};

/* Sums of this stage. */
struct sums {
    double work, flush, message;
    int chunks;
};

static int pass(const struct pipeline *p, int stage, struct token *token,
                unsigned char *chunk, struct sums *sums)
{
    int ue = p->ues[stage % p->stages];
    double start = RCCE_wtime();
    int error = RCCE_send((char *)token, sizeof *token, ue);

    if (!error && !pipeline_is_shared(p) && token->bytes)
        error = RCCE_send((char *)chunk, token->bytes, ue);
    double took = RCCE_wtime() - start;
    /* The shortest is the one that found its partner waiting. */
    if (token->bytes && (sums->message == 0 || took < sums->message))
        sums->message = took;
    return error;
}

static int take(const struct pipeline *p, struct token *token)
{
    int ue = p->ues[(p->stage + p->stages - 1) % p->stages];
    int error = RCCE_recv((char *)token, sizeof *token, ue);

    if (!error && !pipeline_is_shared(p) && token->bytes)
        error = RCCE_recv((char *)p->chunks, token->bytes, ue);
    return error;
}

/* Where a stage writes. */
static unsigned char *out_of(const struct pipeline *p, unsigned char *chunk)
{
    return p->memory == PIPELINE_APART ? chunk + p->room : chunk;
}

static double flush(const struct pipeline *p)
{
    double start = RCCE_wtime();

    if (p->memory == PIPELINE_CACHED)
        RCCE_DCMflush();
    return RCCE_wtime() - start;
}

/* The first stage reads no chunk of others, but flushes like all others:
 * its caches may hold lines of the slot as it was. */
static void process(const struct pipeline *p, const struct pipeline_job *job,
                    struct token *token, unsigned char *chunk,
                    struct sums *sums)
{
    double start = RCCE_wtime();

    sums->flush += flush(p);
    if (p->stage == 0) {
        token->bytes = job->fill(job->context, chunk, p->room);
        token->end = token->bytes == 0;
        if (token->end)
            return;
    }
    unsigned char *out = out_of(p, chunk);
    token->bytes =
        job->work(job->context, p->stage, chunk, out, token->bytes, p->room);
    if (token->bytes && p->stage == p->stages - 1 && job->drain)
        job->drain(job->context, out, token->bytes);
    sums->flush += flush(p);
    sums->work += RCCE_wtime() - start;
    sums->chunks++;
}

/* Hands out the slots in turn, and afterwards collects the tokens. */
static int run_first(struct pipeline *p, const struct pipeline_job *job,
                     struct sums *sums)
{
    struct token token = {0};
    int error = 0, used = 0, ring = pipeline_is_shared(p);

    while (!error && !token.end) {
        if (ring && used == p->slots)
            error = take(p, &token);
        else if (ring)
            token.slot = used++;
        if (error)
            break;
        unsigned char *chunk = p->chunks + (size_t)token.slot * p->room;
        process(p, job, &token, chunk, sums);
        error = pass(p, 1, &token, out_of(p, chunk), sums);
    }
    for (; ring && !error && used; used--)
        error = take(p, &token);
    return error;
}

static int run_other(struct pipeline *p, const struct pipeline_job *job,
                     struct sums *sums)
{
    int last = p->stage == p->stages - 1;
    struct token token = {0};
    int error = 0;

    while (!error && !token.end) {
        error = take(p, &token);
        if (error)
            break;
        unsigned char *chunk = p->chunks + (size_t)token.slot * p->room;
        if (token.bytes)
            process(p, job, &token, chunk, sums);
        if (!last || pipeline_is_shared(p))
            error = pass(p, p->stage + 1, &token, out_of(p, chunk), sums);
    }
    return error;
}

static int largest(double *value)
{
    double own = *value;

    return RCCE_allreduce((char *)&own, (char *)value, 1, RCCE_DOUBLE, RCCE_MAX,
                          RCCE_COMM_WORLD);
}

int pipeline_run(struct pipeline *p, const struct pipeline_job *job,
                 struct pipeline_times *times)
{
    struct sums sums = {0};

    RCCE_barrier(&RCCE_COMM_WORLD);
    double start = RCCE_wtime();
    int error =
        p->stage == 0 ? run_first(p, job, &sums) : run_other(p, job, &sums);
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (error || !times)
        return error;
    int done = sums.chunks ? sums.chunks : 1;
    *times = (struct pipeline_times){.total = RCCE_wtime() - start,
                                     .work = sums.work / done,
                                     .flush = sums.flush / done,
                                     .message = sums.message};
    double chunks = sums.chunks;
    error = largest(&times->total) || largest(&times->work) ||
            largest(&times->flush) || largest(&times->message) ||
            largest(&chunks);
    times->chunks = (int)chunks;
    return error ? RCCE_ERROR_SOURCE : RCCE_SUCCESS;
}
