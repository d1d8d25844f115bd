/*
 * exit.c: the program ends on the first core, which has the functions that
 * atexit was given, whichever thread calls exit; by quick_exit it
 * ends there with those of at_quick_exit, by _exit with none.
 */
#include "../threads.h"

#include <stdlib.h>
#include <unistd.h>

#define ASKED 256u
#define QUICKLY 512u
#define AT_ONCE 1024u

_Noreturn void __real_exit(int code);
_Noreturn void __wrap_exit(int code);
_Noreturn void __real_quick_exit(int code);
_Noreturn void __wrap_quick_exit(int code);

static void ask_the_first(uint32_t how, int code)
{
    crf_control->exit_asked = ASKED | how | ((uint32_t)code & 255u);
    crf_tell_news(0);
    while (!crf_control->ending)
        crf_look_again();
}

void __wrap_exit(int code)
{
    if (!crf_control || crf_my_rank == 0)
        __real_exit(code);
    crf_release();
    ask_the_first(0, code);
    _exit(code);
}

void __wrap_quick_exit(int code)
{
    if (crf_control && crf_my_rank != 0) {
        crf_release();
        ask_the_first(QUICKLY, code);
        _exit(code);
    }
    __real_quick_exit(code);
}

void crf_exit_asked(void)
{
    uint32_t asked = crf_control->exit_asked;

    if (asked & AT_ONCE)
        _exit((int)(asked & 255u));
    crf_acquire();
    if (asked & QUICKLY)
        __real_quick_exit((int)(asked & 255u));
    __real_exit((int)(asked & 255u));
}

/* This core's kernel is about to end: if nobody has ended the program, the
 * other cores end, too. */
void crf_exit_at_once(int code)
{
    if (crf_control->ending)
        return;
    if (crf_my_rank == 0)
        crf_end_all();
    else
        ask_the_first(AT_ONCE, code);
}

static char waits[CRF_THREADS]; /* true for a thread that waits for an object */

static void mark(const struct crf_queue *queue)
{
    uint32_t next = queue->first;

    for (; next; next = crf_control->thread[next - 1].next)
        waits[next - 1] = 1;
}

static void find_those_that_wait(void)
{
    for (size_t n = 0; n < CRF_BUCKETS; n++)
        for (size_t m = 0; m < CRF_BUCKET; m++) {
            const struct crf_object *object = &crf_control->object[n][m];

            if (!object->key)
                continue;
            mark(&object->waiting);
            if (object->kind == CRF_READ_WRITE)
                mark(&object->others);
        }
}

/* Threads end with the program when main returns, whatever they are at. A
 * detached one that waits for work is meant to. */
void crf_find_not_joined(void)
{
    int looked = 0; /* at all objects: it takes a while */

    for (uint32_t n = 1; n <= crf_control->last_thread; n++) {
        const struct crf_thread *record = &crf_control->thread[n];

        if (record->state == CRF_FREE || record->state == CRF_ENDED)
            continue;
        if (!record->detached) {
            crf_error_at(CRF_NOT_JOINED, (const void *)record->start);
        } else if (record->detached != CRF_POOLED) {
            if (!looked)
                find_those_that_wait();
            looked = 1;
            if (!waits[n])
                crf_error_at(CRF_CUT_OFF, (const void *)record->start);
        }
    }
}
