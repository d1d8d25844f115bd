/*
 * objects.cpp: the objects of this core, by number, and the members of
 * containers, whose numbers are the same on all cores.
 *
 * A number has a place in a table and a generation, so that one that was
 * given back is known when it is used.
 */
#include "mesh_private.h"

#include <map>
#include <vector>

namespace mesh
{
namespace detail
{
namespace
{
constexpr uint32_t PLACE = 0xFFFF, GENERATION = 16;

struct Object {
    void *object;
    void (*destroy)(void *);
    uint32_t id;
};

std::vector<Object> objects;
std::vector<uint32_t> free_places;

Object &find(uint32_t id)
{
    uint32_t place = id & PLACE;

    if (place >= objects.size() || objects[place].id != id ||
        !objects[place].object)
        fail("release() is the last use of an object; an ObjectPtr that was "
             "never assigned has none",
             "object %u, generation %u, of this core was used after its "
             "release",
             (unsigned)place, (unsigned)(id >> GENERATION));
    return objects[place];
}
} // namespace

uint32_t add_object(void *object, void (*destroy)(void *))
{
    if (free_places.empty()) {
        if (objects.size() > PLACE)
            fail("release objects that are not used any more",
                 "a core has at most %u objects", (unsigned)PLACE + 1);
        free_places.push_back((uint32_t)objects.size());
        objects.push_back({nullptr, nullptr, (uint32_t)objects.size()});
    }
    Object &entry = objects[free_places.back()];

    free_places.pop_back();
    entry.object = object;
    entry.destroy = destroy;
    return entry.id;
}

void *find_object(uint32_t id)
{
    return find(id).object;
}

void remove_object(uint32_t id)
{
    Object &entry = find(id);
    void *object = entry.object;

    entry.object = nullptr;
    entry.id += 1u << GENERATION;
    free_places.push_back(id & PLACE);
    entry.destroy(object);
}

size_t object_count()
{
    return objects.size() - free_places.size();
}
} // namespace detail
} // namespace mesh
