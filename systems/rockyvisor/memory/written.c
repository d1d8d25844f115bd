/*
 * written.c: a write to a page that has shadows. The page may be written for
 * one instruction, and then what that instruction may have changed is emptied.
 */
#include "memory/tables.h"

#define REPEAT 0xF3

/* A string of writes empties all at once, unless it maps itself. True: the
 * page may be written now. */
bool may_write_once(struct vcpu *v, u32 page, u32 address,
                    const struct walked *w)
{
    bool maps_itself = page == w->table || page == w->directory;
    u8 first = 0;

    if (v != current || v->frame.vector != VECTOR_PAGE_FAULT ||
        (!maps_itself &&
         (!guest_read(v, v->frame.eip, &first, 1) || first == REPEAT))) {
        shadow_drop_tables(page);
        return !maps_itself;
    }
    v->written_page = page + 1;
    v->written_index = address / 4 & 1023;
    steps_begin(v);
    return true;
}

/* The instruction is done. */
void shadow_written(struct vcpu *v)
{
    u32 page = v->written_page - 1;

    if (!v->written_page)
        return;
    v->written_page = 0;
    shadow_clear_around(page, v->written_index);
}
