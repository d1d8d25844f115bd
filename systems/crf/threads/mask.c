/*
 * mask.c: which signals a thread blocks. The kernel's mask is the core's: that
 * of the thread that runs is put in place. A bit for each number.
 */
#include "threads.h"

#include <signal.h>
#include <sys/syscall.h>

#define MASK_BYTES 8u

/* The layer lives by these: page faults, mails. */
#define NEVER (1u << SIGSEGV | 1u << SIGTRAP | 1u << SIGIO)

static uint32_t kernels;

/* A mask of the program's as this core's kernel gets it: the words of it. */
const uint32_t *crf_mask_for_kernel(const uint32_t *wanted)
{
    static uint32_t mask[2];

    if (!wanted)
        return NULL;
    mask[0] = wanted[0] & ~(NEVER >> 1);
    mask[1] = wanted[1];
    return mask;
}

static uint32_t ask_kernel(uint32_t how, const uint32_t *set)
{
    uint32_t before[2] = {0};
    const struct crf_call call = {.number = SYS_rt_sigprocmask,
                                  .first = how,
                                  .second = (uint32_t)set,
                                  .third = (uint32_t)before,
                                  .fourth = MASK_BYTES};

    crf_kernel_call(&call);
    return before[0] << 1;
}

/* Under the guard: who sends a signal finds the mask, or this thread the signal. */
void crf_mask_tell(uint32_t mask)
{
    struct crf_object *guard = crf_object(CRF_ALL_THREADS, CRF_THREAD, 0);

    crf_running->mask = mask;
    crf_self_record()->mask = mask;
    crf_object_done(guard);
}

/* The thread here changes its mask. */
int32_t crf_mask_call(const struct crf_call *asked)
{
    struct crf_call call = *asked;
    int32_t result;

    call.second = (uint32_t)crf_mask_for_kernel((const uint32_t *)call.second);
    result = crf_kernel_call(&call);
    if (!call.second)
        return result;
    kernels = ask_kernel(SIG_BLOCK, NULL);
    if (crf_running->mask != kernels) {
        crf_mask_tell(kernels);
        crf_take_signals();
    }
    return result;
}

void crf_mask_load(uint32_t mask)
{
    const uint32_t set[2] = {mask >> 1, 0};

    if (mask == kernels)
        return;
    kernels = mask;
    ask_kernel(SIG_SETMASK, set);
}
