/*
 * dispatch.c: loops that are dealt out while they run.
 *
 * Threads may be in different loops (nowait): the state of the last eight lies
 * off-die. Iterations are counted from 0; a thread keeps what it needs to turn
 * a count into the loop's variable.
 */
#include "../openmp.h"

enum {
    STATIC_CHUNKS = 33,
    STATIC_EQUAL,
    DYNAMIC,
    GUIDED,
    RUNTIME,
    AUTOMATIC,
    ORDERED = 64, /* the same kinds, 32 higher */
};

#define here (crf_omp_self.dealt)

static struct crf_omp_loop *shared_loop(uint32_t number)
{
    struct crf_omp_loop *loop = &CRF_OMP->loop[number % CRF_OMP_LOOPS];

    while (loop->number != number) /* others are eight loops behind */
        crf_pause();
    return loop;
}

static void set_kind(int32_t kind, uint64_t chunk)
{
    kind &= ~CRF_OMP_MODIFIERS;
    here.ordered = kind > ORDERED;
    if (here.ordered)
        kind -= 32;
    if (kind == RUNTIME) {
        static const int kinds[] = {0, STATIC_CHUNKS, DYNAMIC, GUIDED,
                                    STATIC_EQUAL};

        kind = kinds[crf_omp_schedule & 7];
        chunk = (uint64_t)crf_omp_chunk;
        if (kind == STATIC_CHUNKS && crf_omp_chunk < 1)
            kind = STATIC_EQUAL;
    }
    here.kind = kind == AUTOMATIC ? STATIC_EQUAL : kind;
    here.chunk = chunk < 1 || chunk >> 62 ? 1 : chunk;
}

static void begin(int32_t kind, uint64_t chunk, uint64_t lower, uint64_t step,
                  uint64_t trip)
{
    set_kind(kind, chunk);
    here.lower = lower;
    here.step = step;
    here.trip = trip;
    here.bumped = 0;
    here.number = crf_omp_self.loops++;
    here.shared = NULL;
    if (crf_omp_self.size > 1)
        here.shared = shared_loop(here.number);
    else if (here.kind != STATIC_CHUNKS)
        here.kind = STATIC_EQUAL;
    if (here.kind == STATIC_EQUAL)
        here.chunk = (trip + (uint64_t)crf_omp_self.size - 1) /
                     (uint64_t)crf_omp_self.size;
    here.next = (uint64_t)crf_omp_self.number * here.chunk;
}

/* Who has been dealt the last chunk leaves; the last one to leave makes room
 * for a loop to come. */
static void leave(void)
{
    struct crf_omp_loop *loop = here.shared;

    if (!loop)
        return;
    crf_guard(here.number);
    if (++loop->ended == CRF_OMP->size) {
        loop->ended = 0;
        loop->next = loop->ordered = 0;
        loop->number = here.number + CRF_OMP_LOOPS;
    }
    crf_unguard(here.number);
    here.shared = NULL;
}

/* The chunk's first iteration; its size comes back in `count`. */
static uint64_t deal(uint64_t *count)
{
    uint64_t first, left;

    *count = here.chunk;
    if (here.kind == STATIC_CHUNKS || here.kind == STATIC_EQUAL) {
        first = here.next;
        here.next += here.chunk * (uint64_t)crf_omp_self.size;
        return first;
    }
    crf_guard(here.number);
    first = here.shared->next;
    left = first < here.trip ? here.trip - first : 0;
    if (here.kind == GUIDED) {
        *count = left / (2 * (uint64_t)crf_omp_self.size);
        if (*count < here.chunk)
            *count = here.chunk;
    }
    if (*count > left)
        *count = left;
    here.shared->next = first + *count;
    crf_unguard(here.number);
    return first;
}

static int next(int32_t *last, uint64_t *from, uint64_t *to, uint64_t *step)
{
    uint64_t count, first = here.trip ? deal(&count) : 0;

    if (first >= here.trip) {
        leave();
        return 0;
    }
    if (count > here.trip - first)
        count = here.trip - first;
    here.first = first;
    *last = first + count == here.trip;
    *from = here.lower + first * here.step;
    *to = *from + (count - 1) * here.step;
    *step = here.step;
    return 1;
}

static void await_turn(void)
{
    while (here.shared->ordered < here.first)
        crf_pause();
}

void __kmpc_ordered(struct crf_place *place, int32_t thread)
{
    (void)place;
    (void)thread;
    if (!here.shared)
        return;
    await_turn();
    crf_acquire_from(&here.shared->ordered);
}

/* The next iteration may go on. */
void __kmpc_end_ordered(struct crf_place *place, int32_t thread)
{
    (void)place;
    (void)thread;
    if (!here.shared)
        return;
    crf_release_to(&here.shared->ordered);
    here.bumped = 1;
    here.shared->ordered++;
}

/* Of an ordered loop: an iteration that had no ordered part counts too, and
 * orders nothing. */
static void end_iteration(void)
{
    if (here.shared && !here.bumped) {
        await_turn();
        here.shared->ordered++;
    }
    here.bumped = 0;
}

void crf_omp_chunk_done(uint64_t count)
{
    if (!here.shared || !here.ordered || !count)
        return;
    await_turn();
    here.shared->ordered = (uint32_t)(here.first + count);
}

#define DISPATCH(SUFFIX, TYPE, UNSIGNED, SIGNED)                              \
    void __kmpc_dispatch_init_##SUFFIX(                                       \
        struct crf_place *place, int32_t thread, int32_t kind, TYPE lower,    \
        TYPE upper, SIGNED step, SIGNED chunk)                                \
    {                                                                         \
        UNSIGNED span = step > 0 ? (UNSIGNED)upper - (UNSIGNED)lower          \
                                 : (UNSIGNED)lower - (UNSIGNED)upper;         \
        UNSIGNED by = step > 0 ? (UNSIGNED)step : -(UNSIGNED)step;            \
        int none = step > 0 ? upper < lower : lower < upper;                  \
                                                                              \
        (void)place;                                                          \
        (void)thread;                                                         \
        begin(kind, chunk < 1 ? 0 : (uint64_t)chunk, (uint64_t)lower,         \
              (uint64_t)(int64_t)step, none ? 0 : (uint64_t)(span / by) + 1); \
    }                                                                         \
    int32_t __kmpc_dispatch_next_##SUFFIX(                                    \
        struct crf_place *place, int32_t thread, int32_t *last, TYPE *lower,  \
        TYPE *upper, SIGNED *step)                                            \
    {                                                                         \
        uint64_t from, to, by;                                                \
        int32_t is_last;                                                      \
                                                                              \
        (void)place;                                                          \
        (void)thread;                                                         \
        if (!next(&is_last, &from, &to, &by))                                 \
            return 0;                                                         \
        if (last)                                                             \
            *last = is_last;                                                  \
        *lower = (TYPE)from;                                                  \
        *upper = (TYPE)to;                                                    \
        *step = (SIGNED)by;                                                   \
        return 1;                                                             \
    }                                                                         \
    void __kmpc_dispatch_fini_##SUFFIX(struct crf_place *place,               \
                                       int32_t thread)                        \
    {                                                                         \
        (void)place;                                                          \
        (void)thread;                                                         \
        end_iteration();                                                      \
    }

DISPATCH(4, int32_t, uint32_t, int32_t)
DISPATCH(4u, uint32_t, uint32_t, int32_t)
DISPATCH(8, int64_t, uint64_t, int64_t)
DISPATCH(8u, uint64_t, uint64_t, int64_t)

void __kmpc_dispatch_deinit(struct crf_place *place, int32_t thread)
{
    (void)place;
    (void)thread;
}
