/*
 * RCCE_malloc.c: memory in the message-passing buffer.
 *
 * A collective call: every UE asks for the same sizes in the same order and
 * gets the same offset in its own MPB. Blocks are whole lines, because an
 * MPB line is the unit of transfer and of staleness.
 */
#include "RCCE_lib.h"

static struct rcce_space space;
static size_t mark; /* no block ever reached beyond it */

/* Forgets all blocks (RCCE_init and RCCE_finalize). */
void rcce_malloc_reset(void)
{
    rcce_space_clear(&space);
    space.size = RCCE_BUFFER_BYTES;
    if (rcce_switches & RCCE_SWITCH_MAILBOX)
        space.size -= RCCE_MAILBOX_BYTES;
    mark = 0;
}

size_t rcce_malloc_mark(void)
{
    return mark;
}

/* Whether a block begins here. */
int rcce_malloc_owns(t_vcharp block)
{
    const struct rcce_block *b = space.first;

    while (b && rcce_buffer[rcce_my_rank] + b->offset != block)
        b = b->next;
    return b != NULL;
}

t_vcharp RCCE_malloc(size_t size)
{
    size_t whole, offset;

    whole = (size + RCCE_LINE_SIZE - 1) & ~(size_t)(RCCE_LINE_SIZE - 1);
    if (size == 0 || size > RCCE_BUFFER_BYTES ||
        !rcce_space_alloc(&space, whole, &offset)) {
        rcce_fail_message(0, RCCE_ERROR_MALLOC, size,
                          (int)rcce_space_largest(&space));
        return NULL;
    }
    size = whole;
    if (offset + size > mark)
        mark = offset + size;
    return rcce_buffer[rcce_my_rank] + offset;
}

/* Like RCCE_malloc, but may allocate less; *granted gets how much. */
t_vcharp RCCE_malloc_request(size_t size, size_t *granted)
{
    size_t largest = rcce_space_largest(&space);
    size_t whole = (size + RCCE_LINE_SIZE - 1) & ~(size_t)(RCCE_LINE_SIZE - 1);

    if (!granted)
        return NULL;
    *granted = 0;
    if (size == 0 || largest == 0)
        return NULL;
    if (size > largest)
        whole = largest;
    t_vcharp block = RCCE_malloc(whole);
    if (block)
        *granted = whole;
    return block;
}

void RCCE_free(t_vcharp block)
{
    if (!block || !rcce_in_buffer(block, 0) ||
        !rcce_space_free(&space, (size_t)(block - rcce_buffer[rcce_my_rank])))
        rcce_fail(rcce_debug_comm, RCCE_ERROR_TARGET);
}
