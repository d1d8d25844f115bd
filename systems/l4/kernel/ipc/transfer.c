/*
 * transfer.c: what a message carries: words, pages, capabilities.
 *
 * The sender's UTCB is memory of a program, so each number is checked where
 * it is used. On one core, with interrupts off, nobody changes it meanwhile.
 */
#include "kernel/kernel.h"

static s32 move_pages(struct thread *from, struct thread *to, u32 *item)
{
    u32 window = to->utcb->page_window, pages = item[1];
    s32 result;

    if (pages > L4_PAGES_MAX || pages > to->utcb->page_window_pages)
        return L4_NO_ROOM;
    result = map_pages(&from->task->space, item[0], &to->task->space, window,
                       pages, item[0] & L4_ITEM_GRANT);
    if (result)
        return result;
    to->utcb->page_window += pages * PAGE;
    to->utcb->page_window_pages -= pages;
    return L4_OK;
}

static s32 move_capability(struct thread *from, struct thread *to, u32 *item)
{
    struct slot *slot = slot_of(from, item[0] >> L4_SLOT_SHIFT, 0, 0), *place;
    s32 result;

    if (!slot)
        return L4_NO_CAPABILITY;
    if (to->utcb->slot_window_count == 0)
        return L4_NO_ROOM;
    result = slot_empty(to->task, to->utcb->slot_window, &place);
    if (result)
        return L4_NO_ROOM;
    result = slot_copy(slot, place, item[0], item[1]);
    if (result)
        return result;
    if (item[0] & L4_ITEM_GRANT) {
        tree_remove(&place->node);
        tree_replace(&slot->node, &place->node);
        slot->object->references--;
        *slot = (struct slot){0};
    }
    to->utcb->slot_window++;
    to->utcb->slot_window_count--;
    return L4_OK;
}

/* The receiver's windows shrink by what came. An item that fails ends the
 * message; the ones before it have arrived. */
s32 items_move(struct thread *from, struct thread *to, u32 count)
{
    s32 result = L4_OK;
    u32 pages = 0;

    if (count > L4_ITEMS_MAX)
        return L4_BAD_ARGUMENT;
    for (u32 n = 0; n < count && !result; n++) {
        u32 item[2] = {from->utcb->items[2 * n], from->utcb->items[2 * n + 1]};

        if (item[0] & L4_ITEM_CAPABILITY) {
            result = move_capability(from, to, item);
        } else {
            pages += item[1] > L4_PAGES_MAX ? L4_PAGES_MAX + 1 : item[1];
            result = pages > L4_PAGES_MAX ? L4_BAD_ARGUMENT
                                          : move_pages(from, to, item);
        }
    }
    return result;
}

s32 transfer(struct thread *from, struct thread *to, u32 badge)
{
    u32 tag = from->ecx, words = tag & L4_WORDS;
    u32 items = (tag & L4_ITEMS) >> L4_ITEMS_SHIFT;
    s32 result;

    if (from->fault) {
        fault_message(from, to);
        to->edx = badge;
        return L4_OK;
    }
    if (words > L4_WORDS_MAX)
        return L4_BAD_ARGUMENT;
    result = items_move(from, to, items);
    if (result)
        return result;
    to->ebx = from->ebx;
    to->esi = from->esi;
    to->edi = from->edi;
    to->ecx = tag;
    to->edx = badge;
    if (words > 3)
        memcpy(to->utcb->words + 3, from->utcb->words + 3, (words - 3) * 4);
    return L4_OK;
}
