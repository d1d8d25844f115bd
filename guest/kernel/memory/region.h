/* Regions of the program's memory: each a range of addresses with one protection
 * and one kind of memory. */
#ifndef MEMORY_REGION_H
#define MEMORY_REGION_H

#include "lib/types.h"

enum region_kind {
    REGION_ANONYMOUS, /* zero-filled at first touch */
    REGION_PHYSICAL,  /* core-physical addresses, as mapped by a device */
    REGION_BUFFERS,   /* all cores' message buffers in turn (buffers.c) */
};

struct region {
    u32 start, end;
    u32 protection; /* PROT_ bits */
    enum region_kind kind;
    u32 physical; /* not REGION_ANONYMOUS: the address behind start */
    u32 type;     /* not REGION_ANONYMOUS: memory type, page table bits */
};

struct region *region_find(u32 address);
u32 region_anonymous_pages(void);
void region_discard(u32 start, u32 end);
s32 region_add(const struct region *region);
s32 region_remove(u32 start, u32 end);
s32 region_protect(u32 start, u32 end, u32 protection);
u32 region_gap(u32 length);
bool region_free(u32 start, u32 end);
s32 region_move(u32 from, u32 to, u32 length);

#endif
