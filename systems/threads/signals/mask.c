/*
 * mask.c: which signals a thread blocks. The kernel's mask is the core's: that
 * of the thread that runs is put in place. A bit for each number.
 */
#include "../../crf/models/model.h"
#include "../threads.h"

#include <signal.h>
#include <sys/syscall.h>

#define MASK_BYTES 8u

/* The layer lives by these: page faults, mails. */
#define LAYERS (1u << SIGSEGV | 1u << SIGTRAP | 1u << SIGIO)

static uint32_t kernels;

/* A mask of the program's as this core's kernel gets it: the words of it. The
 * strong model blocks mails itself. */
const uint32_t *crf_mask_for_kernel(const uint32_t *wanted)
{
    static uint32_t mask[2];

    if (!wanted || !crf_model->copies)
        return wanted;
    mask[0] = wanted[0] & ~(LAYERS >> 1);
    mask[1] = wanted[1];
    return mask;
}

/* Whether the call is about the layer's signals alone. */
static int is_layers(const struct crf_call *call)
{
    const uint32_t *set = (const uint32_t *)call->second;
    uint32_t changed;

    if (!set)
        return 1;
    changed = set[0] << 1;
    if (call->first == SIG_SETMASK)
        changed ^= crf_running->mask;
    return !(changed & ~LAYERS);
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

/* Shows the program the part of the layer's signals that it has asked for. */
static void pretend(uint32_t how, uint32_t changed, uint32_t *before)
{
    if (before)
        before[0] |= crf_running->pretended;
    if (how == SIG_UNBLOCK)
        crf_running->pretended &= ~changed;
    else if (how == SIG_SETMASK)
        crf_running->pretended = changed;
    else
        crf_running->pretended |= changed;
}

/* The thread here changes its mask. */
int32_t crf_mask_call(const struct crf_call *asked)
{
    struct crf_call call = *asked;
    const uint32_t *set = (const uint32_t *)call.second;
    uint32_t changed = set ? set[0] & LAYERS >> 1 : 0;
    int32_t result;

    if (is_layers(&call) && !crf_model->copies)
        return crf_kernel_call(&call);
    call.second = (uint32_t)crf_mask_for_kernel(set);
    result = crf_kernel_call(&call);
    if (result == 0 && crf_model->copies)
        pretend(set ? call.first : SIG_BLOCK, changed, (uint32_t *)call.third);
    if (!call.second)
        return result;
    kernels = ask_kernel(SIG_BLOCK, NULL) & ~LAYERS;
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
