/* Regions of the program's memory: each a range of addresses with one protection
 * and one kind of memory. */
#ifndef MEMORY_REGION_H
#define MEMORY_REGION_H

#include "lib/types.h"

enum region_kind {
    REGION_ANONYMOUS, /* zero-filled at first touch */
    REGION_PHYSICAL,  /* core-physical addresses, as mapped by a device */
    REGION_BUFFERS,   /* all cores' message buffers in turn (buffers.c) */
    REGION_OBJECT,    /* an object's memory once more (object.c) */
};

struct region {
    u32 start, end;
    u32 protection; /* PROT_ bits */
    enum region_kind kind;
    u32 physical; /* its first address; REGION_OBJECT: offset in the object */
    u32 type;     /* memory type, page table bits; the object's number */
    bool unpromised; /* MAP_NORESERVE: there may be no frames for all of it */
};

struct region *region_find(u32 address);
const struct region *region_at(u32 index);
/* Where the heap begins: behind the program's image. */
extern u32 heap_start;
void region_discard(u32 start, u32 end);
s32 region_add(const struct region *region);
s32 region_remove(u32 start, u32 end);
s32 region_protect(u32 start, u32 end, u32 protection);
u32 region_gap(u32 length);
bool region_free(u32 start, u32 end);
s32 region_move(u32 from, u32 to, u32 length);

/* total.c */
void region_count_in(const struct region *region);
void region_count_out(const struct region *region);
u32 region_anonymous_pages(void);
u32 region_promised_pages(void);
u32 region_pages(void);
u32 region_pages_most(void);
bool region_promise(u32 length);

/* object.c */
#define OBJECTS_MAX 64u
s32 object_new(u32 *object);
s32 object_grow(u32 object, u32 length);
u32 object_room(u32 object);
void object_set_limit(u32 object, u32 length);
u32 object_size(u32 object);
u8 *object_address(u32 object);
u32 object_page(u32 object, u32 offset);
bool object_mapped(u32 object);
bool objects_any(void);
void object_free(u32 object);
s32 regions_leave(void);

#endif
