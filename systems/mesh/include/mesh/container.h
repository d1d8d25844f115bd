/*
 * container.h: one object with members on many cores.
 *
 *   ControlPtr<Cache> caches = control<Cache>(64);        // a member a core
 *   caches.local().drop(3);
 *   caches.other(7)->apply(m2f(&Cache::drop, 3));
 *   caches.each()->step(m2f(&Cache::clear));              // waits for all
 *   int all = caches.each()->reduce(m2f(&Cache::used), mesh::sum);
 *
 *   StoragePtr<Table> table = storage<Table>();      // a replica a domain
 *   table.leaders()->step(...);  table.domain()->step(...);
 *
 * map calls a function on each member and does not wait; step waits until all
 * have run it, or lets a Future do so; reduce merges their results. Cores that
 * have the same memory controller nearest are a domain: four on the SCC. A
 * replica lies in that controller's DRAM, at the same address for all. A
 * storage container does not keep its replicas alike or caches fresh: flush()
 * does the latter, and sharing spaces (shared.h) do both.
 */
#ifndef MESH_CONTAINER_H
#define MESH_CONTAINER_H

#include <new>

#include "mesh/memory.h"
#include "mesh/object.h"
#include "mesh/tree.h"

namespace mesh
{
/* Functions by which reduce merges two values into one: their sum, the smaller,
 * the larger. The order in which reduce merges values is arbitrary. */
inline constexpr auto sum = [](auto a, auto b) { return a + b; };
inline constexpr auto least = [](auto a, auto b) { return b < a ? b : a; };
inline constexpr auto most = [](auto a, auto b) { return a < b ? b : a; };

namespace detail
{
/* What UE 0 assigns to a new container or shared object: a number that is equal
 * on all cores, never 0 and not reused soon, and the offset of memory in each
 * domain's replicas, a multiple of 32 (the memory may have 0 bytes). */
struct Grant {
    uint32_t id;
    uint32_t offset;
};
/* Ask UE 0: take_grant for `bytes` in each domain (at most REPLICA_BYTES in
 * all; an error if there are not so many), give_back to free a grant once,
 * grant_count and grant_bytes how many and how much are taken. */
Grant take_grant(size_t bytes);
void give_back(uint32_t id);
size_t grant_count();
size_t grant_bytes();

void add_member(uint32_t id, void *member); /* on this core */
/* The member of container `id` on this core. If there is none, find_member ends
 * the program with an error, and look_for_member returns null. remove_member
 * returns it as find_member does and forgets it. */
void *find_member(uint32_t id);
void *look_for_member(uint32_t id);
void *remove_member(uint32_t id);

template <class M> M &member(uint32_t id)
{
    return *static_cast<M *>(find_member(id));
}

struct Everyone {
    bool operator()() const
    {
        return true;
    }
};
} // namespace detail

/* The members for which a predicate is true. A call goes to all cores: each
 * evaluates `select`, and if it is true, calls the function on `find()`, its
 * own member. reduce is for all members only. */
template <class M, class Find, class Select> class Group
{
  public:
    Group(Find find, Select select) : find(find), select(select)
    {
    }
    const Group *operator->() const
    {
        return this;
    }

    template <class F> void map(const F &f) const
    {
        detail::map_all(part(f));
    }
    template <class F> void step(const F &f) const
    {
        detail::step_all(part(f));
    }
    template <class F> void step(const F &f, Future<void> &future) const
    {
        detail::step_all(part(f), detail::set_future(future));
    }
    template <class F, class Op>
    detail::ResultOn<M, F> reduce(const F &f, const Op &merge) const
    {
        Future<detail::ResultOn<M, F>> future;

        reduce(f, merge, future);
        return future.get();
    }
    template <class F, class Op>
    void reduce(const F &f, const Op &merge,
                Future<detail::ResultOn<M, F>> &future) const
    {
        static_assert(std::is_same_v<Select, detail::Everyone>,
                      "reduce asks all members");
        auto whole = [find = find, f] { return f(find()); };

        detail::reduce_all(whole, merge, future);
    }

  private:
    template <class F> auto part(const F &f) const
    {
        if constexpr (std::is_same_v<Select, detail::Everyone>)
            return [find = find, f] { f(find()); };
        else
            return [find = find, select = select, f] {
                if (select())
                    f(find());
            };
    }

    Find find;
    Select select;
};

/* A container with a member on each core. local() is this core's member,
 * other(core) the calls of that rank's member (object.h), each() all members.
 * release() deletes all members and returns when that is done; a later use is
 * an error. */
template <class M> class ControlPtr
{
  public:
    ControlPtr() = default;
    explicit ControlPtr(uint32_t id) : id(id)
    {
    }

    M &local() const
    {
        return detail::member<M>(id);
    }

    auto other(int core) const
    {
        auto find = [id = id]() -> M & { return detail::member<M>(id); };

        return Calls<decltype(find)>(core, find);
    }

    auto each() const
    {
        return each(detail::Everyone{});
    }
    /* The members on those cores on which `select()` returns true. */
    template <class Select> auto each(Select select) const
    {
        auto find = [id = id]() -> M & { return detail::member<M>(id); };

        return Group<M, decltype(find), Select>(find, select);
    }
    void release() const
    {
        detail::step_all(
            [id = id] { delete static_cast<M *>(detail::remove_member(id)); });
        detail::give_back(id);
    }

  private:
    uint32_t id = 0;
};

/* Constructs an M on each core, each with the same arguments; returns, when all
 * are constructed, a pointer by which every core finds its own. Called by one
 * core. */
template <class M, class... A> ControlPtr<M> control(A... arguments)
{
    uint32_t id = detail::take_grant(0).id;

    detail::step_all(
        [id, arguments...] { detail::add_member(id, new M(arguments...)); });
    return ControlPtr<M>(id);
}

/* An object with a replica in each memory domain. leaders() are the members on
 * the domains' lowest ranks, one a domain. release() writes back and drops the
 * replicas on all cores and frees the memory; no destructor runs. */
template <class T> class StoragePtr
{
    static_assert(std::is_trivially_copyable_v<T>,
                  "replicas are copied byte by byte");

  public:
    StoragePtr() = default;
    explicit StoragePtr(detail::Grant grant) : grant(grant)
    {
    }

    /* Returns the copy of the object that is in the memory of the calling
     * core's domain. */
    T &local() const
    {
        return *static_cast<T *>(detail::replica(grant.offset));
    }
    auto leaders() const
    {
        return select([] { return leader() == rank(); });
    }
    /* The cores of the calling core's domain; a call on the result runs on each
     * of them. */
    auto domain() const
    {
        return select(
            [mine = mesh::domain()] { return mesh::domain() == mine; });
    }
    /* Writes this core's changes to the replica to memory, and drops its lines
     * from this core's caches, so that later reads are fresh. */
    void flush() const
    {
        detail::write_back(detail::replica(grant.offset), sizeof(T));
    }
    void release() const
    {
        detail::step_all([copy = *this] { copy.flush(); });
        detail::give_back(grant.id);
    }

  private:
    template <class Select> auto select(Select chosen) const
    {
        auto find = [offset = grant.offset]() -> T & {
            return *static_cast<T *>(detail::replica(offset));
        };
        return Group<T, decltype(find), Select>(find, chosen);
    }

    detail::Grant grant{};
};

/* Constructs a T in the memory of each domain that has cores of the program and
 * writes it back; returns, when all are constructed, a pointer by which each
 * core finds its domain's. Called by one core. */
template <class T, class... A> StoragePtr<T> storage(A... arguments)
{
    StoragePtr<T> made(detail::take_grant(sizeof(T)));

    detail::step_all([made, arguments...] {
        if (leader() == rank())
            new (&made.local()) T(arguments...);
        made.flush();
    });
    return made;
}
} // namespace mesh

#endif
