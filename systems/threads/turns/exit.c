/*
 * exit.c: the program ends on the first core, which has the functions that
 * atexit was given, whichever thread calls exit.
 */
#include "../threads.h"

#include <stdlib.h>
#include <unistd.h>

_Noreturn void __real_exit(int code);
_Noreturn void __wrap_exit(int code);

void __wrap_exit(int code)
{
    if (!crf_control || crf_my_rank == 0)
        __real_exit(code);
    crf_release();
    crf_control->exit_asked = 256u | ((uint32_t)code & 255u);
    crf_tell_news(0);
    while (!crf_control->ending)
        crf_look_again();
    _exit(code);
}

void crf_exit_asked(void)
{
    crf_acquire();
    __real_exit((int)(crf_control->exit_asked & 255u));
}

/* Threads end with the program when main returns, whatever they are at. */
void crf_find_not_joined(void)
{
    for (uint32_t n = 1; n <= crf_control->last_thread; n++) {
        const struct crf_thread *record = &crf_control->thread[n];

        if (record->state != CRF_FREE && record->state != CRF_ENDED &&
            !record->detached)
            crf_error_at(CRF_NOT_JOINED, (const void *)record->start);
    }
}
