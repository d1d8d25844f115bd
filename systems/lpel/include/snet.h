/*
 * snet.h: networks of boxes over LPEL, after the coordination language S-Net:
 * what snet.py makes of a text, and what boxes call.
 *
 * A record has fields (blocks of lpel_malloc) and tags (integers) under
 * labels. A box takes records that have at least the labels of its type; what
 * else they have goes on to what the box gives out, unless it has that label
 * itself. snet.py's header numbers the labels: SNET_name. By demand only
 * (LPEL_UNCACHED, LPEL_CACHED_STACKS).
 */
#ifndef SNET_H
#define SNET_H

#include "lpel.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SNET_ENTRIES 14 /* labels of a record, at most */

struct snet_box;
typedef struct snet_record snet_record;

snet_record *snet_new(void);
void snet_drop(snet_record *record); /* with its fields */
/* Takes the field out: the block is the caller's. Ends the run if there is
 * none; so does a tag that is not there. */
void *snet_take(snet_record *record, int label);
int snet_tag(const snet_record *record, int label);
int snet_has(const snet_record *record, int label);
void snet_put(snet_record *record, int label, void *block);
void snet_set(snet_record *record, int label, int value);
/* A box gives a record out; it must have one of the box's output types. */
void snet_out(struct snet_box *box, snet_record *record);
/* A block of so many bytes, first zero, that this instance of the box keeps
 * until its input ends. */
void *snet_state(struct snet_box *box, size_t bytes);

/* Generated. A type is a mask of labels. */
enum snet_kind {
    SNET_BOX,
    SNET_SERIAL,
    SNET_PARALLEL,
    SNET_STAR,
    SNET_SPLIT,
};
struct snet_node {
    enum snet_kind kind;
    const char *name;  /* box; else as tasks are called */
    const char *where; /* line:column */
    const struct snet_node *a, *b;
    void (*box)(struct snet_box *box, snet_record *in);
    const uint64_t *in, *out; /* types, ended by 0; star: in is the pattern */
    int tag;                  /* split */
};
struct snet_net {
    const char *const *labels; /* tags with < and > */
    const struct snet_node *main;
};

/* Collective, after lpel_init: source writes records with snet_write, sink
 * reads with snet_read; they run on the ranks given, or LPEL_ANY. */
struct snet_end;
void snet_write(struct snet_end *end, snet_record *record);
snet_record *snet_read(struct snet_end *end); /* NULL at the end */
void snet_run(const struct snet_net *net, void (*source)(struct snet_end *),
              int source_rank, void (*sink)(struct snet_end *), int sink_rank);

#ifdef __cplusplus
}
#endif

#endif
