/*
 * increment.c: the publication's pipeline. Each stage adds 1 to each byte.
 *
 * increment private|apart|uncached|cached trivial|snake KIB CHUNK [SLOTS]
 *
 * KIB kilobytes in chunks of CHUNK bytes; prints the time and, beside it,
 * what the model makes of its parts.
 */
#include "pipeline.h"

#include <stdio.h>
#include <string.h>

struct stream {
    size_t left;
    unsigned char next, wrong;
    int stages;
};

static size_t fill(void *context, unsigned char *chunk, size_t room)
{
    struct stream *stream = context;
    size_t bytes = room < stream->left ? room : stream->left;

    for (size_t i = 0; i < bytes; i += RCCE_LINE_SIZE)
        chunk[i] = stream->next++;
    stream->left -= bytes;
    return bytes;
}

static size_t work(void *context, int stage, const unsigned char *in,
                   unsigned char *out, size_t bytes, size_t room)
{
    (void)context, (void)stage, (void)room;
    for (size_t i = 0; i < bytes; i++)
        out[i] = (unsigned char)(in[i] + 1);
    return bytes;
}

static void drain(void *context, const unsigned char *chunk, size_t bytes)
{
    struct stream *stream = context;

    for (size_t i = 0; i < bytes; i += RCCE_LINE_SIZE)
        if (chunk[i] != (unsigned char)(stream->next++ + stream->stages))
            stream->wrong = 1;
}

static int choice(const char *word, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    return -1;
}

static void print(const struct pipeline *p, const char *const *argv,
                  const struct pipeline_times *t)
{
    double bound = pipeline_bound(p, t->chunks, t->message, t->work);
    double estimate = pipeline_estimate(p, t->chunks, t->message, t->work);

    printf("%s %s: %d chunks through %d stages in %.6f s\n", argv[1], argv[2],
           t->chunks, p->stages, t->total);
    printf("a chunk: work %.6f s (flush %.6f s), message %.6f s\n", t->work,
           t->flush, t->message);
    printf("model: at most %.6f s, undisturbed %.6f s\n", bound, estimate);
}

int main(int argc, char **argv)
{
    static const char *const memories[] = {"private", "apart", "uncached",
                                           "cached", 0};
    static const char *const orders[] = {"trivial", "snake", 0};
    struct pipeline pipeline;
    struct pipeline_times times;
    int ues[RCCE_MAXNP];

    RCCE_init(&argc, &argv);
    int memory = argc > 4 ? choice(argv[1], memories) : -1;
    int order = argc > 4 ? choice(argv[2], orders) : -1;
    if (memory < 0 || order < 0) {
        fprintf(stderr,
                "usage: %s private|apart|uncached|cached trivial|snake "
                "KIB CHUNK [SLOTS]\n",
                argv[0]);
        return 2;
    }
    struct stream stream = {.left = (size_t)atoi(argv[3]) << 10,
                            .stages = RCCE_num_ues()};
    struct pipeline_job job = {fill, work, drain, &stream};
    int slots = argc > 5 ? atoi(argv[5]) : RCCE_num_ues() - 1;
    pipeline_place(ues, (enum pipeline_order)order);
    int error = pipeline_open(&pipeline, (enum pipeline_memory)memory,
                              (size_t)atoi(argv[4]), slots, ues);
    if (!error)
        error = pipeline_run(&pipeline, &job, &times);
    if (error) {
        char text[RCCE_MAX_ERROR_STRING];
        int length;

        RCCE_error_string(error, text, &length);
        fprintf(stderr, "%s: %s\n", argv[0], text);
        return 1;
    }
    if (pipeline.stage == pipeline.stages - 1 && stream.wrong)
        fprintf(stderr, "%s: wrong bytes\n", argv[0]);
    if (RCCE_ue() == 0)
        print(&pipeline, (const char *const *)argv, &times);
    pipeline_close(&pipeline);
    RCCE_finalize();
    return stream.wrong;
}
