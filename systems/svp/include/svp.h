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
 * others serve families until rank 0 calls svp_end. An error prints what is
 * wrong and a hint, and ends all cores with exit code 1.
 */
#ifndef SVP_H
#define SVP_H

#include <stddef.h>
#include <stdint.h>

enum svp_transport {
    SVP_ORIGINAL, /* a byte stream, each element in XDR */
    SVP_DIRECT,   /* a byte stream, whole arrays, no XDR */
    SVP_REMAP,    /* the receiver maps the sender's memory, copies */
    SVP_COPY,     /* like SVP_REMAP, but copy cores copy */
};

/* Starts SVP on all cores, which must call it once, with equal arguments.
 * `copy_cores`: how many cores only copy memory for others, from 1 to the
 * number of cores less 2; used by SVP_COPY only, otherwise ignored. */
void svp_start(enum svp_transport transport, int copy_cores);
/* Called by main on rank 0: ends the processes of all other cores with exit
 * code 0, then returns; rank 0 continues alone. Returns the number of objects
 * on all cores that were not ended: families, threads, allocations and
 * mappings. */
int svp_end(void);

/* Places: one for each core that is not a copy core, in the order of ranks; the
 * first is rank 0's. */
typedef int svp_place;
#define SVP_HERE (-1)     /* the core of the caller, not exclusive */
#define SVP_EXCLUSIVES 15 /* exclusive places of a core */

int svp_places(void);               /* the number of places */
svp_place svp_place_of(int number); /* from 0 to svp_places() - 1 */
/* A place on the core of `place` at which families run one after the other;
 * `number` is from 1 to SVP_EXCLUSIVES. A family can read what earlier families
 * there have left in the core's memory. */
svp_place svp_exclusive(svp_place place, int number);
int svp_core_of(svp_place place); /* the number of its core */
/* The core number of copy core `number`, from 0; -1 if there is none. */
int svp_copy_core(int number);

/* A channel carries a value. A function has at most SVP_CHANNELS global and at
 * most SVP_CHANNELS shared channels. The parent writes each global channel of a
 * family once, and all threads read that value. The parent writes each shared
 * channel once for the first thread, each thread writes the channel once for
 * the next thread, and the parent gets the value of the last thread. */
#define SVP_CHANNELS 4

typedef union {
    int64_t i;
    double d;
    void *p;
} svp_value;

struct svp_data;

/* What the threads of a family run; at one address on all cores (static). */
struct svp_function {
    const char *name; /* for errors and traces */
    void (*run)(int index, void *arguments);
    /* The function that describes the data that travels with the family. Null:
     * a family on another place gets a copy of its arguments (at most 2,032
     * bytes), without the data to which they point, and no change of the
     * arguments comes back to the parent. The values of channels and of
     * svp_break come back in any case. On the parent's own core threads use the
     * arguments themselves, and the function is not called. */
    void (*describe)(struct svp_data *data, void *arguments);
    size_t arguments;    /* their size in bytes */
    int globals, shared; /* numbers of channels, 0 to SVP_CHANNELS */
};

/* How a family ended: all threads ran; one called svp_break; svp_kill. */
enum svp_exit { SVP_DONE, SVP_BROKEN, SVP_KILLED };

/* Filled in by svp_create, and by svp_sync, after which `id` is 0. */
typedef struct {
    uint32_t id;
    svp_value broken_by;            /* after sync: the value of svp_break */
    svp_value shared[SVP_CHANNELS]; /* after sync: the last thread's values */
} svp_family;

/* Creates threads with the indices first, first + step, ... before `limit`
 * (below it, or above it if `step` is negative; `step` is not 0); at most
 * `block` of them run at a time (0: SVP_BLOCK). Returns when the inputs are
 * sent. Until sync, the arguments must stay valid, described inputs must not
 * change, and described outputs must not be accessed. */
#define SVP_BLOCK 16
void svp_create(svp_family *family, svp_place place, int first, int limit,
                int step, int block, const struct svp_function *function,
                void *arguments);
/* Waits until the family has ended, copies its outputs back (not of a killed
 * one) and returns how it ended. The thread that created a family must sync it
 * once. An error if a channel has no value and the family was not killed and
 * still runs. */
enum svp_exit svp_sync(svp_family *family);
/* Asks a family to end: each of its threads ends at its next call of a function
 * for families or channels or of svp_yield, and so do the families that the
 * thread created. The family's outputs are lost. Does nothing if the family has
 * ended. The parent must still call sync. */
void svp_kill(const svp_family *family);

/* Called by the parent between create and sync: write a value into a channel of
 * the family, shared ones for the first thread. All channels must be written,
 * each once, before sync. */
void svp_put_global(const svp_family *family, int channel, svp_value value);
void svp_put_shared(const svp_family *family, int channel, svp_value value);

/* Called by a thread of a family: read (waiting until there is a value), or
 * write, the family's channels. A thread that returns without writing a shared
 * channel passes the previous thread's value on. */
svp_value svp_global(int channel); /* the parent's value */
svp_value svp_shared(int channel); /* the previous thread's, or the parent's */
void svp_pass_shared(int channel, svp_value value); /* to the next thread */
_Noreturn void svp_break(svp_value value); /* ends this and all its threads */
void svp_yield(void); /* lets other threads of this core run; may end here */
svp_place svp_here(void); /* the caller's place; exclusive ones included */

static inline svp_value svp_int(int64_t number)
{
    return (svp_value){.i = number};
}

static inline svp_value svp_double(double number)
{
    return (svp_value){.d = number};
}

/* Memory of this core that other cores can map: 336 MB, allocated first fit, in
 * lines of 32 bytes, not cleared. Never NULL: no room is an error. When a
 * family is killed, the memory that it allocated is freed. */
void *svp_alloc(size_t bytes);
void svp_free(void *memory); /* on the core that allocated it; NULL: nothing */
/* Maps memory that another place got by svp_alloc, for reading. The mapping
 * shows what the place had made visible before the call; whether later writes
 * are seen is not defined. The range must lie within 16 MB that begin at a
 * multiple of 16 MB (one LUT entry). At most 32 such segments can be mapped. */
const void *svp_map(svp_place place, const void *memory, size_t bytes);
void svp_unmap(const void *mapped); /* the address that svp_map returned */

/* Data descriptions. A description runs twice on each of the two places (for
 * inputs, for outputs) and must execute the same steps each time: it may depend
 * on earlier SVP_INPUT values, and never on the contents of arrays. */
enum svp_type {
    SVP_CHAR,
    SVP_SHORT,
    SVP_INT,
    SVP_HYPER,
    SVP_FLOAT,
    SVP_DOUBLE
};
enum svp_way { SVP_IN = 1, SVP_OUT = 2 }; /* to the family; to the parent */

/* Called in a description, by the macros below. `at`: the value's address, or
 * that of a pointer to the array, which on the family's place becomes the
 * address of a copy there that lives until the family ends. */
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
/* Allocates memory of that size on the other place and copies nothing: for
 * arrays of pointers. */
#define SVP_ROOM(data, pointer, count) \
    svp_room((data), (void **)(void *)&(pointer), (count) * sizeof *(pointer))

/* Counts of the core that calls svp_counts, since the program's start. */
struct svp_counts {
    uint32_t families;       /* families created on this core */
    uint32_t killed, broken; /* of those that have ended */
    uint32_t threads;        /* threads started */
    uint32_t flushes;        /* write-backs of all of L1 and L2 */
    uint32_t left;   /* families, threads, allocations, mappings open now,
                      * without the caller's own family and thread */
    uint64_t copied; /* whole lines copied through mapped memory, in bytes */
};
const struct svp_counts *svp_counts(void);
/* Simulated seconds since the core's start, at its clock of the launch. */
double svp_seconds(void);

#endif
