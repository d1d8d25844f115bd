/*
 * race.c: a data race that is looked for: `rck run --check races` asks for it.
 *
 * At a commit bytes of the shared page may differ from the twin: another core
 * has committed them since this one last acquired. If this core has changed
 * the same bytes, nothing orders the two writes: with an order between them,
 * this core would have acquired the other's, and its twin would have them.
 * The checker is told by a call that it knows by its name.
 *
 * A core takes in more than its threads' order says: with one lock comes all
 * that was committed before, whoever it was for. So which bytes plain writes
 * have changed last is noted off-die, and whether that comes before what a
 * thread does is known by its locks, barriers and ends (order.c). An atomic
 * operation, which does not look at copies, meets the same notes.
 */
#include "../models/model.h"
#include "pages.h"

#include <stdlib.h>

#define NOBODY 0xFFFFu /* another core: which one is not known */
#define READ 0x10000u  /* it is an atomic operation's */
/* Of a place: no line of the program's, but the end of this thread's function,
 * or of this parallel region. */
#define END_OF_THREAD 0x80000000u
#define END_OF_REGION 0x40000000u

int crf_looks_for_races;

void crf_races_start(void)
{
    const char *wanted = getenv("RCK_THREADS_RACES");

    crf_looks_for_races = wanted && *wanted && crf_model->copies;
    for (int core = 0; crf_looks_for_races && core < crf_all_ranks; core++)
        if (crf_my_rank == 0)
            crf_control->orders.epoch[core] = 1;
}

struct frame {
    const struct frame *next;
    uint32_t returns_to;
};

static int is_programs(uint32_t code)
{
    extern char crf_text_first[], crf_text_last[];

    return code > (uint32_t)crf_text_first && code < (uint32_t)crf_text_last;
}

/* Where the program has called the layer; 0: from nowhere. The thread's frames
 * are linked, each one above the one before. */
static uint32_t called_at(void)
{
    const struct frame *at = __builtin_frame_address(0);
    const char *top = crf_running ? crf_running->top : NULL;

    while (at && (const char *)at < top) {
        if (is_programs(at->returns_to))
            return at->returns_to;
        if (at->next <= at)
            break;
        at = at->next;
    }
    return 0;
}

/* The thread's function has returned. The pool's threads have one of the
 * library's, which calls that of the region. */
static uint32_t ended_at(void)
{
    uint32_t start = crf_control->thread[crf_self].start;
    uint32_t region = crf_control->openmp.function;

    if (start && is_programs(start))
        return start | END_OF_THREAD;
    if (start && region)
        return region | END_OF_REGION;
    return END_OF_THREAD;
}

/* A core without a thread commits what the last one has left. */
static uint32_t where(void)
{
    static uint32_t last;

    if (crf_running) {
        last = called_at();
        if (!last)
            last = ended_at();
    }
    return last;
}

/* The last core that has committed to each page, and where. */
void crf_note_commit(uint32_t page)
{
    if (!crf_looks_for_races)
        return;
    crf_control->committer[page] = (uint32_t)crf_my_rank + 1;
    crf_control->committed_at[page] = where();
}

/* python/rockcreek/checking/threads.py reads its arguments. */
__attribute__((noinline)) uint32_t crf_tell_race(const void *address,
                                                 uint32_t at, uint32_t other,
                                                 uint32_t other_at,
                                                 uint32_t other_value,
                                                 uint32_t argument);
__attribute__((noinline)) uint32_t crf_tell_race(const void *address,
                                                 uint32_t at, uint32_t other,
                                                 uint32_t other_at,
                                                 uint32_t other_value,
                                                 uint32_t argument)
{
    __asm__ volatile(""
                     :
                     : "r"(at), "r"(other), "r"(other_at), "r"(other_value),
                       "m"(argument));
    return *(const uint32_t *)address;
}

/* Which argument of the parallel region (from 1 on) points to this word: a
 * variable of the function around it, which has no name of its own. */
static uint32_t argument_at(uint32_t word)
{
    const struct crf_omp *team = &crf_control->openmp;

    if (team->busy)
        for (uint32_t n = 0; n < team->count; n++)
            if ((team->argument[n] & ~3u) == word)
                return n + 1;
    return 0;
}

static void tell(uint32_t word, uint32_t other, uint32_t other_at,
                 uint32_t other_value)
{
    (void)crf_tell_race((const void *)word, where(), other, other_at,
                        other_value, argument_at(word));
}

/* A bit for each byte that differs. */
static uint32_t bytes_of(uint32_t words)
{
    uint32_t found = 0;

    for (int n = 0; n < 4; n++)
        if (words >> 8 * n & 0xFF)
            found |= 1u << n;
    return found;
}

static struct crf_plain *plain_at(const void *word)
{
    return &crf_control->plain[(uint32_t)word / 4 % CRF_PLAIN];
}

static void note_plain(const uint32_t *word, uint32_t bytes)
{
    struct crf_plain *plain = plain_at(word);

    plain->word = (uint32_t)word;
    plain->bytes = bytes;
    plain->rank = (uint32_t)crf_my_rank;
    plain->at = where();
    plain->epoch = crf_order_epoch();
}

/* An atomic operation on some bytes of a word. */
static void look_at_word(uint32_t word, uint32_t bytes)
{
    const struct crf_plain *plain = plain_at((const void *)word);

    if (plain->word != word || !(plain->bytes & bytes) ||
        plain->rank == (uint32_t)crf_my_rank ||
        crf_order_is_before(word, plain->rank, plain->epoch))
        return;
    tell(word, (uint32_t)crf_core_of[plain->rank] | READ, plain->at,
         *(const uint32_t *)(void *)(crf_lines +
                                     crf_shared_offset(
                                         crf_page_of((void *)word)) +
                                     word % CRF_PAGE));
}

void crf_look_at_atomic(const void *at, uint32_t size)
{
    uint32_t first = (uint32_t)at, end = first + size;

    if (!crf_looks_for_races)
        return;
    for (uint32_t word = first & ~3u; word < end; word += 4) {
        uint32_t bytes = 0;

        for (uint32_t n = 0; n < 4; n++)
            if (word + n >= first && word + n < end)
                bytes |= 1u << n;
        look_at_word(word, bytes);
    }
}

/* Another core's plain write of some of these bytes that nothing orders. */
static int is_unordered(uint32_t word, uint32_t bytes)
{
    const struct crf_plain *plain = plain_at((const void *)word);

    return plain->word == word && plain->bytes & bytes &&
           plain->rank != (uint32_t)crf_my_rank &&
           !crf_order_is_before(word, plain->rank, plain->epoch);
}

/* This core is about to commit a word: `old` is the twin's. */
void crf_look_for_race(uint32_t page, const uint32_t *word, uint32_t old,
                       uint32_t shared)
{
    uint32_t mine = bytes_of(*word ^ old), at = (uint32_t)word;
    uint32_t both = mine & bytes_of(shared ^ old);
    uint32_t other = crf_control->committer[page];
    const struct crf_plain before = *plain_at(word);

    if (is_unordered(at, mine))
        tell(at, (uint32_t)crf_core_of[before.rank], before.at, shared);
    else if (both && (other == 0 || other == (uint32_t)crf_my_rank + 1))
        tell(at, NOBODY, 0, shared);
    else if (both)
        tell(at, (uint32_t)crf_core_of[other - 1],
             crf_control->committed_at[page], shared);
    note_plain(word, mine);
}

/* The first commit of a page, which was zero before. */
void crf_note_first_commit(uint32_t page)
{
    const uint32_t *word = (const uint32_t *)(void *)crf_page_address(page);

    if (!crf_looks_for_races || crf_is_initialised(page))
        return;
    for (uint32_t n = 0; n < CRF_PAGE / 4; n++)
        if (word[n])
            note_plain(&word[n], bytes_of(word[n]));
}
