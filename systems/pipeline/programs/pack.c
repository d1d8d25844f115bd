/*
 * pack.c: a file is checked, compressed, encrypted and written, a stage each.
 *
 * pack private|apart|uncached|cached trivial|snake CHUNK IN OUT
 *
 * In OUT each chunk of IN is 12 bytes, little-endian: bytes as they were,
 * bytes that follow, CRC-32 of the bytes as they were; then the bytes,
 * compressed if the two numbers differ, encrypted. The key is 0, 1, 2 ... 31.
 * Stages behind the fourth only hand on.
 */
#include "pipeline.h"
#include "pack.h"

#include <stdio.h>
#include <string.h>

struct header {
    uint32_t plain, stored, crc;
};

struct pack {
    FILE *in, *out;
    uint32_t key[8], number;
    unsigned char *scratch;
    unsigned long read, written;
};

static size_t fill(void *context, unsigned char *chunk, size_t room)
{
    struct pack *pack = context;
    size_t plain = fread(chunk + sizeof(struct header), 1,
                         room - sizeof(struct header), pack->in);

    pack->read += plain;
    return plain ? plain + sizeof(struct header) : 0;
}

static size_t work(void *context, int stage, const unsigned char *in,
                   unsigned char *out, size_t bytes, size_t room)
{
    struct pack *pack = context;
    size_t before = sizeof(struct header), count = bytes - before;
    struct header header;

    (void)room;
    memcpy(&header, in, before);
    if (stage == 0)
        header = (struct header){(uint32_t)count, (uint32_t)count,
                                 pack_crc32(in + before, count)};
    if (stage == 1) {
        size_t less = pack_compress(in + before, count, pack->scratch);

        if (less) {
            header.stored = (uint32_t)less;
            memcpy(out + before, pack->scratch, less);
        }
    }
    count = header.stored;
    if (stage == 2)
        pack_encrypt(pack->key, pack->number++, in + before, out + before,
                     count);
    else if (in != out && (stage != 1 || count == header.plain))
        memcpy(out + before, in + before, count);
    memcpy(out, &header, before);
    return before + count;
}

static void drain(void *context, const unsigned char *chunk, size_t bytes)
{
    struct pack *pack = context;

    pack->written += fwrite(chunk, 1, bytes, pack->out);
}

static int choice(const char *word, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    return -1;
}

static int run(struct pack *pack, struct pipeline *p, char **argv)
{
    struct pipeline_job job = {fill, work, drain, pack};
    struct pipeline_times times;
    int error;

    if (p->stage == 0 && !(pack->in = fopen(argv[4], "rb")))
        return perror(argv[4]), RCCE_ERROR_SOURCE;
    if (p->stage == p->stages - 1 && !(pack->out = fopen(argv[5], "wb")))
        return perror(argv[5]), RCCE_ERROR_TARGET;
    for (int i = 0; i < 32; i++)
        pack->key[i / 4] |= (uint32_t)i << 8 * (i % 4);
    pack->scratch = malloc(p->room);
    error = pack->scratch ? pipeline_run(p, &job, &times) : RCCE_ERROR_MALLOC;
    if (error)
        return error;
    if (p->stage == p->stages - 1 && fclose(pack->out))
        return perror(argv[5]), RCCE_ERROR_TARGET;
    if (p->stage == 0)
        printf("%lu bytes in %d chunks in %.6f s\n", pack->read, times.chunks,
               times.total);
    if (p->stage == p->stages - 1)
        printf("%lu bytes written\n", pack->written);
    if (RCCE_ue() == 0)
        printf("a chunk: work %.6f s, message %.6f s; undisturbed %.6f s\n",
               times.work, times.message,
               pipeline_estimate(p, times.chunks, times.message, times.work));
    return RCCE_SUCCESS;
}

int main(int argc, char **argv)
{
    static const char *const memories[] = {"private", "apart", "uncached",
                                           "cached", NULL};
    static const char *const orders[] = {"trivial", "snake", NULL};
    struct pipeline pipeline;
    struct pack pack = {0};
    int ues[RCCE_MAXNP], memory = -1, order = -1, error;

    RCCE_init(&argc, &argv);
    if (argc == 6) {
        memory = choice(argv[1], memories);
        order = choice(argv[2], orders);
    }
    if (memory < 0 || order < 0 || RCCE_num_ues() < 4) {
        fprintf(stderr,
                "usage: %s private|apart|uncached|cached trivial|snake CHUNK "
                "IN OUT, on 4 cores or more\n",
                argv[0]);
        return 2;
    }
    pipeline_place(ues, (enum pipeline_order)order);
    error = pipeline_open(&pipeline, (enum pipeline_memory)memory,
                          (size_t)atoi(argv[3]), RCCE_num_ues() - 1, ues);
    if (!error)
        error = run(&pack, &pipeline, argv);
    if (error) {
        fprintf(stderr, "%s: error %d\n", argv[0], error);
        return 1;
    }
    pipeline_close(&pipeline);
    RCCE_finalize();
    return 0;
}
