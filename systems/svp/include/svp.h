/*
 * svp.h: families of threads on places, after the SVP of [marc-2011].
 *
 * A thread creates a family of threads on a place (a core), works on, and
 * waits for it by sync. What the parent has written is seen by the family,
 * what the family has written is seen by the parent after sync: no locks, no
 * barriers, no messages. Between places a data description says which memory
 * goes along.
 *
 *     struct sum { int count; int *numbers; int total; };
 *
 *     static void add(int index, void *arguments) { ... }
 *     static void describe(struct svp_data *data, void *arguments)
 *     {
 *         struct sum *sum = arguments;
 *         SVP_INPUT(data, sum->count);
 *         SVP_INPUTS(data, sum->numbers, sum->count);
 *         SVP_OUTPUT(data, sum->total);
 *     }
 *     static const struct svp_function sum_up = {
 *         .name = "sum_up", .run = add, .describe = describe,
 *         .arguments = sizeof(struct sum)};
 *
 *     svp_family family;
 *     svp_create(&family, svp_place_of(3), 0, 1, 1, 0, &sum_up, &sum);
 *     svp_sync(&family);
 *
 * All cores run the same program. svp_start returns on rank 0 alone, the
 * others serve families until rank 0 calls svp_end.
 */
#ifndef SVP_H
#define SVP_H

#include <stddef.h>
#include <stdint.h>

enum svp_transport {
    SVP_ORIGINAL, /* a byte stream, each element in XDR */
    SVP_DIRECT,   /* a byte stream, an array at once, no XDR */
    SVP_REMAP,    /* the receiver maps the sender's memory and copies */
    SVP_COPY,     /* as SVP_REMAP, but copy cores copy */
};

/* Starts SVP; called by all cores, with the same arguments. */
void svp_start(enum svp_transport transport, int copy_cores);
/* Ends the program on all cores. Returns the number of things left over:
 * families, threads, allocations and mappings that were not ended. */
int svp_end(void);

/* Places: one for each core that does not copy; the first is rank 0's. */
typedef int svp_place;
#define SVP_HERE (-1)
#define SVP_EXCLUSIVES 15

int svp_places(void);
svp_place svp_place_of(int number);
/* A place on which families run one after the other: number 1 to
 * SVP_EXCLUSIVES. A family sees what the earlier ones left in the core's
 * memory. */
svp_place svp_exclusive(svp_place place, int number);
int svp_core_of(svp_place place);
int svp_copy_core(int number); /* which core copies; -1 if there is none */

/* Channels carry values that are written once. */
#define SVP_CHANNELS 4

typedef union {
    int64_t i;
    double d;
    void *p;
} svp_value;

struct svp_data;

struct svp_function {
    const char *name;
    void (*run)(int index, void *arguments);
    /* Null: families on other places get the arguments by value, without the
     * data that they point to, and the parent gets nothing back. */
    void (*describe)(struct svp_data *data, void *arguments);
    size_t arguments; /* bytes */
    int globals, shared;
};

enum svp_exit { SVP_DONE, SVP_BROKEN, SVP_KILLED };

typedef struct {
    uint32_t id;
    svp_value broken_by;            /* after sync: the value of svp_break */
    svp_value shared[SVP_CHANNELS]; /* after sync: what the last thread wrote */
} svp_family;

/* Creates threads first, first + step, ... below limit; at most `block` of
 * them have begun and not ended (0: SVP_BLOCK). Until sync, the arguments
 * must stay, described inputs must not change, and described outputs must
 * not be touched. */
#define SVP_BLOCK 16
void svp_create(svp_family *family, svp_place place, int first, int limit,
                int step, int block, const struct svp_function *function,
                void *arguments);
enum svp_exit svp_sync(svp_family *family);
/* Asks a family to end: each of its threads ends at its next svp_ call, and so
 * do the families that it created. Its outputs are lost. sync is still
 * necessary. */
void svp_kill(const svp_family *family);

/* Called by the parent: writes a channel to the family. All channels must be
 * written before sync. */
void svp_put_global(const svp_family *family, int channel, svp_value value);
void svp_put_shared(const svp_family *family, int channel, svp_value value);

/* Called in a thread. */
svp_value svp_global(int channel); /* what the parent wrote */
svp_value svp_shared(int channel); /* what the one before did */
void svp_pass_shared(int channel, svp_value value); /* to the one behind */
_Noreturn void svp_break(svp_value value);          /* ends the own family */
void svp_yield(void); /* lets others on this core go on; kill ends it here */
svp_place svp_here(void);

static inline svp_value svp_int(int64_t number)
{
    return (svp_value){.i = number};
}

static inline svp_value svp_double(double number)
{
    return (svp_value){.d = number};
}

/* Memory of this core that other cores can map: first fit, lines of 32 bytes.
 * Memory that a killed family has allocated is freed. */
void *svp_alloc(size_t bytes);
void svp_free(void *memory);
/* Memory of another place, as it was when that place last made it visible, for
 * reading in place. The range must lie within one segment of 16 MB. */
const void *svp_map(svp_place place, const void *memory, size_t bytes);
void svp_unmap(const void *mapped);

/* Data descriptions. They run on both places and must take the same way:
 * they may depend on earlier SVP_INPUT values, and never on the contents of
 * arrays. */
enum svp_type {
    SVP_CHAR,
    SVP_SHORT,
    SVP_INT,
    SVP_HYPER,
    SVP_FLOAT,
    SVP_DOUBLE
};
enum svp_way { SVP_IN = 1, SVP_OUT = 2 };

void svp_scalar(struct svp_data *data, void *at, enum svp_type type,
                enum svp_way way);
void svp_elements(struct svp_data *data, void **at, size_t count,
                  enum svp_type type, enum svp_way way);
void svp_room(struct svp_data *data, void **at, size_t bytes);

#define SVP_TYPE(x)                    \
    _Generic((x),                      \
        char: SVP_CHAR,                \
        signed char: SVP_CHAR,         \
        unsigned char: SVP_CHAR,       \
        short: SVP_SHORT,              \
        unsigned short: SVP_SHORT,     \
        int: SVP_INT,                  \
        unsigned: SVP_INT,             \
        long: SVP_INT,                 \
        unsigned long: SVP_INT,        \
        long long: SVP_HYPER,          \
        unsigned long long: SVP_HYPER, \
        float: SVP_FLOAT,              \
        double: SVP_DOUBLE)
#define SVP_ARRAY(data, pointer, count, way)                   \
    svp_elements((data), (void **)(void *)&(pointer), (count), \
                 SVP_TYPE(*(pointer)), (way))

#define SVP_INPUT(data, x) svp_scalar((data), &(x), SVP_TYPE(x), SVP_IN)
#define SVP_OUTPUT(data, x) svp_scalar((data), &(x), SVP_TYPE(x), SVP_OUT)
#define SVP_INPUTS(data, pointer, count) SVP_ARRAY(data, pointer, count, SVP_IN)
#define SVP_OUTPUTS(data, pointer, count) \
    SVP_ARRAY(data, pointer, count, SVP_OUT)
#define SVP_INOUTS(data, pointer, count) \
    SVP_ARRAY(data, pointer, count, SVP_IN | SVP_OUT)
/* Room on the other place into which nothing is copied: arrays of pointers. */
#define SVP_ROOM(data, pointer, count) \
    svp_room((data), (void **)(void *)&(pointer), (count) * sizeof *(pointer))

/* The counts of this core since the start. */
struct svp_counts {
    uint32_t families; /* that ran here */
    uint32_t killed, broken;
    uint32_t threads;
    uint32_t flushes;
    uint32_t left; /* families, threads, allocations, mappings that are open */
    uint64_t copied; /* bytes by this core through mapped memory */
};
const struct svp_counts *svp_counts(void);
double svp_seconds(void); /* since the core's start */

#endif
