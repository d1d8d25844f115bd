/*
 * rights.c: a root task whose children misuse what they have: their task,
 * their thread, their pages. The last lines say that nothing is missing and
 * that the kernel stands.
 */
#include "tests/equipped.h"

static void map_kernel(void)
{
    done(l4_do(TASK, L4_TASK_MAP, KERNEL | L4_ITEM_WRITE, EMPTY, 1));
}

static void map_over_kernel(void)
{
    done(l4_do(TASK, L4_TASK_MAP, 0x400000, KERNEL, 1));
}

static void write_what_is_read_only(void)
{
    l4_do(TASK, L4_TASK_MAP, 0x400000 | L4_ITEM_WRITE, EMPTY, 1);
    *(volatile uint32_t *)EMPTY = 1;
    done(0);
}

static void unmap_kernel(void)
{
    done(l4_do(TASK, L4_TASK_UNMAP, 0xF0000000, 1024, 1));
}

static void unmap_too_much(void)
{
    done(l4_do(TASK, L4_TASK_UNMAP, 0, 0xFFFFFFFF, 1));
}

static void unmap_its_text(void)
{
    done(l4_do(TASK, L4_TASK_UNMAP, 0x400000, 16, 1));
}

static void map_over_utcb(void)
{
    done(l4_do(TASK, L4_TASK_MAP, 0x400000, L4_ROOT_UTCB, 1));
}

static void grant_utcb(void)
{
    done(l4_do(TASK, L4_TASK_MAP, L4_ROOT_UTCB | L4_ITEM_GRANT, EMPTY, 1));
}

/* A page of a page of a page: the tree's depth is bounded. */
static void map_deeply(void)
{
    uint32_t from = 0x400000, to = EMPTY;
    int32_t result = L4_OK;

    for (int n = 0; n < 100 && result == L4_OK; n++) {
        result = l4_do(TASK, L4_TASK_MAP, from, to, 1);
        from = to;
        to += PAGE;
    }
    done(result);
}

static void destroy_itself(void)
{
    done(l4_do(TASK, L4_TASK_DESTROY, 0, 0, 0));
}

static void end_its_thread(void)
{
    done(l4_do(THREAD, L4_THREAD_DESTROY, 0, 0, 0));
}

static void start_again(void)
{
    done(l4_do(THREAD, L4_THREAD_START, KERNEL, KERNEL, 0));
}

static void interrupt_itself(void)
{
    done(l4_do(THREAD, L4_THREAD_INTERRUPT, 0, 0, 0));
}

static void take_x87(void)
{
    done(l4_do(THREAD, L4_THREAD_X87, 0, 0, 0));
}

static void segment_of_the_kernel(void)
{
    uint32_t value;

    l4_do(THREAD, L4_THREAD_TLS, KERNEL, 0, 0);
    l4_do(THREAD, L4_THREAD_YIELD, 0, 0, 0);
    __asm__ volatile("mov %%gs:0, %0" : "=r"(value));
    done((int32_t)value);
}

static void own_pager(void)
{
    l4_create(FACTORY, L4_KIND_GATE, FIRST_EMPTY, THREAD, 0);
    l4_do(THREAD, L4_THREAD_PAGER, FIRST_EMPTY, 0, 0);
    *(volatile uint32_t *)EMPTY = 1;
    done(0);
}

static void call_itself(void)
{
    struct l4_message m = {0, {0, 0, 0}, 0};

    l4_create(FACTORY, L4_KIND_GATE, FIRST_EMPTY, THREAD, 0);
    done(l4_call(FIRST_EMPTY, &m));
}

static const struct try tries[] = {
    {"map the kernel", map_kernel},
    {"map over the kernel", map_over_kernel},
    {"make a page writable that is not", write_what_is_read_only},
    {"unmap the kernel", unmap_kernel},
    {"unmap 4 billion pages", unmap_too_much},
    {"unmap its own text", unmap_its_text},
    {"map over its UTCB", map_over_utcb},
    {"grant its UTCB away", grant_utcb},
    {"map a page of a page, without end", map_deeply},
    {"destroy its own task", destroy_itself},
    {"end its own thread", end_its_thread},
    {"start a thread that runs", start_again},
    {"interrupt itself", interrupt_itself},
    {"take its own x87 state", take_x87},
    {"read the kernel by a segment", segment_of_the_kernel},
    {"be its own pager", own_pager},
    {"call itself", call_itself},
};

int main(void)
{
    try_equipped(tries, sizeof(tries) / sizeof(tries[0]));
    return 0;
}
