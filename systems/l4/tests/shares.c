/*
 * shares.c: a root task whose children take more than their share, forge
 * rights, and send what they do not have.
 */
#include "tests/equipped.h"

#define KINDS 16

static void spin(void)
{
    for (;;)
        ;
}

static void high_priority(void)
{
    done(l4_create(FACTORY, L4_KIND_CONTEXT, FIRST_EMPTY, 31, 1000));
}

static void large_share(void)
{
    done(l4_create(FACTORY, L4_KIND_FACTORY, FIRST_EMPTY, 0xFFFFFFFF, 1));
}

/* Kinds that no factory makes: memory, the core's end, registers. */
static void forbidden_kinds(void)
{
    int32_t made = 0;

    for (uint32_t kind = 0; kind < KINDS; kind++)
        if (kind == 0 || kind > L4_KIND_LOG)
            made += l4_create(FACTORY, kind, FIRST_EMPTY, 0, 0) == L4_OK;
    done(made);
}

static void thread_at_the_kernel(void)
{
    done(l4_create(FACTORY, L4_KIND_THREAD, FIRST_EMPTY, TASK, KERNEL));
}

static void thread_at_an_odd_place(void)
{
    done(l4_create(FACTORY, L4_KIND_THREAD, FIRST_EMPTY, TASK, EMPTY + 1));
}

/* Logs until the share or the table is used up. */
static void fill_the_table(void)
{
    int32_t result = L4_OK;

    for (uint32_t slot = FIRST_EMPTY; result == L4_OK; slot++)
        result = l4_create(FACTORY, L4_KIND_LOG, slot, 0, 0);
    done(result);
}

static void use_the_share(void)
{
    uint32_t slot = FIRST_EMPTY;
    int32_t result = L4_OK;

    for (; result == L4_OK; slot++)
        result = l4_create(FACTORY, L4_KIND_TASK, slot, 0, 0);
    while (slot-- > FIRST_EMPTY)
        l4_do(slot, L4_TASK_DESTROY, 0, 0, 0);
    done(result);
}

static void lose_a_task(void)
{
    l4_create(FACTORY, L4_KIND_TASK, FIRST_EMPTY, 0, 0);
    done(l4_do(TASK, L4_TASK_REVOKE, FIRST_EMPTY, 1, 0));
}

static void other_badge(void)
{
    done(l4_do(TASK, L4_TASK_GIVE, CHILDS_GATE << L4_SLOT_SHIFT | L4_RIGHTS,
               FIRST_EMPTY, 1));
}

static void copy_without_right(void)
{
    done(l4_do(TASK, L4_TASK_GIVE, LOG << L4_SLOT_SHIFT | L4_RIGHTS,
               FIRST_EMPTY, 0));
}

static void bind_without_right(void)
{
    done(l4_do(IRQ, L4_IRQ_BIND, THREAD, 0, 0));
}

static void use_after_revocation(void)
{
    l4_create(FACTORY, L4_KIND_LOG, FIRST_EMPTY, 0, 0);
    l4_do(TASK, L4_TASK_REVOKE, FIRST_EMPTY, 1, 0);
    done(l4_do(FIRST_EMPTY, L4_LOG_WRITE, 1, 0, 0));
}

static void revoke_nothing(void)
{
    done(l4_do(TASK, L4_TASK_REVOKE, 0xFFFFFFFF, 1, 0));
}

static void long_line(void)
{
    done(l4_do(LOG, L4_LOG_WRITE, 0xFFFFFFFF, 0, 0));
}

static void read_a_named_log(void)
{
    done(l4_do(LOG, L4_LOG_READ, 0, 0, 0));
}

static void keep_nobody(void)
{
    done(l4_do(THREAD, L4_THREAD_KEEP_CALLER, FIRST_EMPTY, 0, 0));
}

static void reply_to_nobody(void)
{
    struct l4_message m = {0, {0, 0, 0}, 0};

    done(l4_invoke(0, L4_REPLY, &m));
}

static void send_an_empty_slot(void)
{
    struct l4_message m = {L4_TAG_ITEMS(1), {0, 0, 0}, 0};

    l4_utcb()->items[0] = 100 << L4_SLOT_SHIFT | L4_ITEM_CAPABILITY;
    done(l4_call(CHILDS_GATE, &m));
}

static void send_too_many_pages(void)
{
    struct l4_message m = {L4_TAG_ITEMS(8), {0, 0, 0}, 0};

    for (int n = 0; n < 8; n++) {
        l4_utcb()->items[2 * n] = 0x400000;
        l4_utcb()->items[2 * n + 1] = L4_PAGES_MAX;
    }
    done(l4_call(CHILDS_GATE, &m));
}

static const struct try tries[] = {
    {"compute without end", spin},
    {"take a high priority", high_priority},
    {"take more than its share", large_share},
    {"make what no factory makes", forbidden_kinds},
    {"make a thread with a UTCB in the kernel", thread_at_the_kernel},
    {"make a thread with a UTCB at an odd place", thread_at_an_odd_place},
    {"make logs without end", fill_the_table},
    {"make tasks without end", use_the_share},
    {"lose a task", lose_a_task},
    {"change a badge", other_badge},
    {"copy without the right to", copy_without_right},
    {"bind an event without the right to", bind_without_right},
    {"use what is revoked", use_after_revocation},
    {"revoke a slot that does not exist", revoke_nothing},
    {"write a line of 4 GB", long_line},
    {"read a log with a name", read_a_named_log},
    {"keep a caller that is not there", keep_nobody},
    {"reply to nobody", reply_to_nobody},
    {"send a capability that it does not have", send_an_empty_slot},
    {"send 512 pages", send_too_many_pages},
};

int main(void)
{
    try_equipped(tries, sizeof(tries) / sizeof(tries[0]));
    return 0;
}
