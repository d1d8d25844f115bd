/*
 * members.cpp: numbers that are the same on all cores, and this core's members
 * behind them.
 *
 * UE 0 hands the numbers out, together with memory of each domain, first fit.
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
constexpr uint32_t LINE = RCCE_LINE_SIZE;

struct Member {
    void *member;
    uint32_t id;
};
std::vector<Member> members;

/* On UE 0 only. Place 0 stays free: a Shared that was never assigned. */
struct Granted {
    uint32_t id, offset, bytes;
    bool used;
};
std::vector<Granted> granted(1);
std::vector<uint32_t> free_places;
std::map<uint32_t, uint32_t> used; /* memory: bytes by offset */
uint32_t bytes_used;

/* The first gap that is large enough. */
uint32_t take_memory(uint32_t bytes)
{
    uint32_t at = 0;

    for (auto [offset, length] : used) {
        if (offset - at >= bytes)
            break;
        at = offset + length;
    }
    if (bytes > REPLICA_BYTES || at > REPLICA_BYTES - bytes)
        fail("release objects that are not used any more",
             "no %u bytes for a shared object: %u of %u are taken in each "
             "domain",
             (unsigned)bytes, (unsigned)bytes_used, (unsigned)REPLICA_BYTES);
    used.emplace(at, bytes);
    bytes_used += bytes;
    return at;
}

Grant grant(uint32_t bytes)
{
    if (free_places.empty()) {
        if (granted.size() > PLACE)
            fail("release objects that are not used any more",
                 "there are at most %u containers and shared objects",
                 (unsigned)PLACE);
        free_places.push_back((uint32_t)granted.size());
        granted.push_back({(uint32_t)granted.size(), 0, 0, false});
    }
    Granted &entry = granted[free_places.back()];

    free_places.pop_back();
    entry.bytes = (bytes + LINE - 1) & ~(LINE - 1);
    entry.offset = entry.bytes ? take_memory(entry.bytes) : 0;
    entry.used = true;
    return {entry.id, entry.offset};
}

void take_back(uint32_t id)
{
    Granted &entry = granted[id & PLACE];

    if (entry.id != id || !entry.used)
        fail("release it once", "object %u was released twice",
             (unsigned)(id & PLACE));
    if (entry.bytes) {
        used.erase(entry.offset);
        bytes_used -= entry.bytes;
    }
    entry.used = false;
    entry.id += 1u << GENERATION;
    free_places.push_back(id & PLACE);
}
} // namespace

Grant take_grant(size_t bytes)
{
    if (bytes > REPLICA_BYTES)
        fail("divide it into several",
             "an object of %zu bytes: a domain has %u", bytes,
             (unsigned)REPLICA_BYTES);
    return ask(0, [bytes = (uint32_t)bytes] { return grant(bytes); });
}

void give_back(uint32_t id)
{
    ask(0, [id] { take_back(id); });
}

size_t grant_count()
{
    return ask(0, [] { return granted.size() - 1 - free_places.size(); });
}

size_t grant_bytes()
{
    return ask(0, [] { return (size_t)bytes_used; });
}

void add_member(uint32_t id, void *member)
{
    uint32_t place = id & PLACE;

    if (place >= members.size())
        members.resize(place + 1);
    members[place] = {member, id};
}

void *look_for_member(uint32_t id)
{
    uint32_t place = id & PLACE;

    return place < members.size() && members[place].id == id
               ? members[place].member
               : nullptr;
}

void *find_member(uint32_t id)
{
    void *found = look_for_member(id);

    if (!found && !id)
        fail("assign it what allocate() or control() returned",
             "a Shared or ControlPtr was used that was never assigned");
    if (!found)
        fail("release() is the last use of an object, on any core",
             "object %u, generation %u, was used after its release",
             (unsigned)(id & PLACE), (unsigned)(id >> GENERATION));
    return found;
}

void *remove_member(uint32_t id)
{
    void *found = find_member(id);

    members[id & PLACE].member = nullptr;
    return found;
}
} // namespace detail
} // namespace mesh
