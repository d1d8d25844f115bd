/*
 * choose.c: the model by its name, from the environment; what is done by it.
 */
#include "../pages/pages.h"
#include "model.h"

#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

const struct crf_model *crf_model = &crf_by_notices;

void crf_choose_model(void)
{
    static const struct crf_model *const models[] = {
        &crf_by_notices, &crf_lazy, &crf_strong, &crf_uncached};
    const char *name = getenv("RCK_THREADS_MODEL");

    if (!name || !*name)
        return;
    for (uint32_t n = 0; n < sizeof models / sizeof models[0]; n++)
        if (strcmp(name, models[n]->name) == 0) {
            crf_model = models[n];
            return;
        }
    crf_fail("crf, strong, lazy or uncached",
             "RCK_THREADS_MODEL=%s is no model", name);
}

void crf_release(void)
{
    if (__fpending(stdout))
        fflush(stdout);
    crf_model->release();
}

void crf_acquire(void)
{
    crf_model->acquire();
}

void crf_release_to(const volatile void *object)
{
    crf_release();
    crf_order_release(object);
}

void crf_acquire_from(const volatile void *object)
{
    crf_model->acquire();
    crf_order_acquire(object);
}

void crf_open_stack(const struct crf_stack *stack)
{
    crf_model->stack_open(stack);
}

int crf_await_mail(int milliseconds)
{
    return crf_model->await_mail(milliseconds);
}

void crf_last_act(void)
{
    if (crf_control && crf_model->last_act)
        crf_model->last_act();
}
