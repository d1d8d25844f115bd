/*
 * pipeline_model.c: how long a pipeline takes, from its parts
 * [marc-2011, pipelines, equations 6 and 9].
 */
#include "pipeline.h"

double pipeline_bound(const struct pipeline *p, int chunks, double message,
                      double work)
{
    int passes = pipeline_is_shared(p) ? p->stages : p->stages - 1;

    return chunks * passes * message + (chunks + p->stages) * work;
}

double pipeline_estimate(const struct pipeline *p, int chunks, double message,
                         double work)
{
    double step = work + message;

    if (chunks < 1)
        return 0;
    /* Between two chunks a stage receives, works and sends. */
    if (!pipeline_is_shared(p))
        return p->stages * step - message + (chunks - 1) * (step + message);
    /* The first chunk of each round of slots waits for its slot; the others
     * follow one step behind. */
    double way = p->stages * step, round = p->slots * (step + message);
    int rounds = (chunks - 1) / p->slots, rest = (chunks - 1) % p->slots;
    return way + rounds * (way > round ? way : round) + rest * (step + message);
}
