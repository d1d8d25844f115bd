/*
 * race.c: a data race that is looked for: `rck run --check races` asks for it.
 *
 * At a commit bytes of the shared page may differ from the twin: another core
 * has committed them since this one last acquired. If this core has changed
 * the same bytes, nothing orders the two writes: with an order between them,
 * this core would have acquired the other's, and its twin would have them.
 * The checker is told by a call that it knows by its name.
 *
 * An atomic operation does not look at copies: which bytes plain writes have
 * changed last is noted off-die, and how many such commits there have been at
 * this core's last acquire.
 */
#include "../models/model.h"
#include "pages.h"

#include <stdlib.h>

#define NOBODY 0xFFFFu /* another core: which one is not known */
#define READ 0x10000u  /* it is an atomic operation's */

int crf_looks_for_races;

void crf_races_start(void)
{
    const char *wanted = getenv("RCK_THREADS_RACES");

    crf_looks_for_races = wanted && *wanted;
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

/* Where the program has called the layer; 0: unknown. The thread's frames are
 * linked, each one above the one before. */
static uint32_t where(void)
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
                                                 uint32_t other_value);
__attribute__((noinline)) uint32_t crf_tell_race(const void *address,
                                                 uint32_t at, uint32_t other,
                                                 uint32_t other_at,
                                                 uint32_t other_value)
{
    __asm__ volatile(""
                     :
                     : "r"(at), "r"(other), "r"(other_at), "r"(other_value));
    return *(const uint32_t *)address;
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

static uint32_t acquired_at; /* commits of all cores at the last acquire */

void crf_note_acquire(void)
{
    if (crf_looks_for_races)
        acquired_at = crf_control->plain_commits;
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
    plain->number = ++crf_control->plain_commits;
}

/* An atomic operation on some bytes of a word. */
static void look_at_word(uint32_t word, uint32_t bytes)
{
    const struct crf_plain *plain = plain_at((const void *)word);

    if (plain->word != word || !(plain->bytes & bytes) ||
        plain->rank == (uint32_t)crf_my_rank ||
        (int32_t)(plain->number - acquired_at) <= 0)
        return;
    (void)crf_tell_race(
        (const void *)word, where(), (uint32_t)crf_core_of[plain->rank] | READ,
        plain->at,
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

/* This core is about to commit a word: `old` is the twin's. */
void crf_look_for_race(uint32_t page, const uint32_t *word, uint32_t old,
                       uint32_t shared)
{
    uint32_t mine = bytes_of(*word ^ old);
    uint32_t both = mine & bytes_of(shared ^ old);
    uint32_t other = crf_control->committer[page];

    note_plain(word, mine);

    if (!both)
        return;
    if (other == 0 || other == (uint32_t)crf_my_rank + 1)
        (void)crf_tell_race(word, where(), NOBODY, 0, shared);
    else
        (void)crf_tell_race(word, where(), (uint32_t)crf_core_of[other - 1],
                            crf_control->committed_at[page], shared);
}
