/* Memory that can be seen at several addresses of the program: that of files
 * in memory.
 *
 * An object's pages are those of an anonymous region. The kernel reads and
 * writes them as any memory of the program; a mapping shows the frames of the
 * region once more. The region may move when the object grows. */
#include "abi/abi.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "memory/region.h"

struct object {
    bool used;
    u32 start, end; /* its own region, if any */
    u32 limit;      /* bytes that the file has */
};

static struct object objects[OBJECTS_MAX];

s32 object_new(u32 *object)
{
    for (u32 n = 0; n < OBJECTS_MAX; n++)
        if (!objects[n].used) {
            objects[n] = (struct object){.used = true};
            *object = n;
            return 0;
        }
    return -ENFILE;
}

u32 object_room(u32 object)
{
    return objects[object].end - objects[object].start;
}

u8 *object_address(u32 object)
{
    return (u8 *)objects[object].start;
}

void object_set_limit(u32 object, u32 length)
{
    objects[object].limit = length;
}

/* Room for at least that many bytes; what is new is zero. */
s32 object_grow(u32 object, u32 length)
{
    struct object *o = &objects[object];
    struct region to = {.protection = PROT_READ | PROT_WRITE};
    u32 room = object_room(object);
    s32 error;

    length = PAGE_UP(length);
    if (length <= room)
        return 0;
    if (!region_promise(length - room))
        return -ENOSPC;
    to.start = region_gap(length);
    to.end = to.start + length;
    error = to.start ? region_add(&to) : -ENOSPC;
    if (error)
        return error;
    error = region_move(o->start, to.start, room);
    if (!error && room > 0)
        error = region_remove(o->start, o->end);
    if (error) {
        /* Where the pages were there are tables for them. */
        region_move(to.start, o->start, room);
        region_remove(to.start, to.end);
        return error;
    }
    o->start = to.start;
    o->end = to.end;
    return 0;
}

/* In whole pages: what a mapping shows. */
u32 object_size(u32 object)
{
    return PAGE_UP(objects[object].limit);
}

/* The object's own address of the page with that byte; 0 behind its end. */
u32 object_page(u32 object, u32 offset)
{
    const struct object *o = &objects[object];

    return offset < object_size(object) ? o->start + PAGE_DOWN(offset) : 0;
}

bool object_mapped(u32 object)
{
    const struct region *region;

    for (u32 n = 0; (region = region_at(n)); n++)
        if (region->kind == REGION_OBJECT && region->type == object)
            return true;
    return false;
}

bool objects_any(void)
{
    for (u32 n = 0; n < OBJECTS_MAX; n++)
        if (objects[n].used)
            return true;
    return false;
}

/* Nothing maps it. */
void object_free(u32 object)
{
    if (object_room(object) > 0)
        region_remove(objects[object].start, objects[object].end);
    objects[object].used = false;
}

/* The lowest object at or above an address, or null. */
static const struct object *next_object(u32 from)
{
    const struct object *found = NULL;

    for (u32 n = 0; n < OBJECTS_MAX; n++)
        if (objects[n].used && objects[n].end > objects[n].start &&
            objects[n].start >= from &&
            (!found || objects[n].start < found->start))
            found = &objects[n];
    return found;
}

/* Another program follows: all regions but the objects' own. */
s32 regions_leave(void)
{
    u32 from = USER_START;
    s32 error = 0;

    while (!error) {
        const struct object *object = next_object(from);

        error = region_remove(from, object ? object->start : USER_END);
        if (!object)
            break;
        from = object->end;
    }
    return error;
}
