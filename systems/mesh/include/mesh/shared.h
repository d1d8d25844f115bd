/*
 * shared.h: objects that belong to no core, in sharing spaces.
 *
 *   EntryConsistencySpace space;
 *   Shared<Tree> tree = allocate<Tree>(space)();
 *   MigrationSpace central(0);
 *   Shared<Forces> forces = allocate<Forces>(central)();
 *   {
 *       Reader<Tree> t(tree);              // waits while somebody writes
 *       MultipleWriter<Forces> v(forces);
 *       Node n = t->invoke(m2f(&Tree::next));     // here, on the replica
 *       v->apply(m2f(&Forces::put, i, force));    // on the central instance
 *   }                                      // the accesses end
 *
 * A Shared<T> is a number: send it to other cores as an argument.
 *
 *   EntryConsistencySpace  a replica in each memory domain, fetched when a
 *                          reader or writer needs it; Reader and Writer only
 *   MigrationSpace         one instance, whose core runs all methods one at a
 *                          time, and which migrate() moves to another core
 *
 * A Reader shares, a MultipleWriter shares and modifies, a Writer excludes
 * all others; all wait, serving messages, until they have access. Taking the
 * lock to share costs no message, to exclude a message to all cores. An access
 * object belongs to the code that runs by itself on a core, not to methods
 * that run by a message: there, waiting would keep the core from serving, and
 * is an error.
 */
#ifndef MESH_SHARED_H
#define MESH_SHARED_H

#include "mesh/container.h"
#include "mesh/controller.h"

namespace mesh
{
template <class T> class Shared
{
  public:
    Shared() = default;
    explicit Shared(uint32_t number) : number(number)
    {
    }
    uint32_t id() const
    {
        return number;
    }

  private:
    uint32_t number = 0;
};

class EntryConsistencySpace
{
  public:
    detail::Controller *(*controller() const)(const detail::Birth &)
    {
        return detail::new_entry_controller;
    }
    int place() const
    {
        return rank();
    }
};

class MigrationSpace
{
  public:
    /* A space whose objects live at first on core `core`. */
    explicit MigrationSpace(int core) : core(core)
    {
        detail::check_rank(core);
    }
    detail::Controller *(*controller() const)(const detail::Birth &)
    {
        return detail::new_migration_controller;
    }
    int place() const
    {
        return core;
    }

  private:
    int core;
};

template <class T, class Space> class SharedAllocation
{
    static_assert(std::is_trivially_copyable_v<T>,
                  "shared objects are copied byte by byte");

  public:
    explicit SharedAllocation(const Space &space) : space(space)
    {
    }

    template <class... A> Shared<T> operator()(A... arguments) const
    {
        detail::Grant grant = detail::take_grant(sizeof(T));
        detail::Birth birth{grant, sizeof(T), rank(), space.place()};
        auto make = space.controller();

        ask(birth.place, [grant, arguments...] {
            new (detail::replica(grant.offset)) T(arguments...);
            detail::write_back(detail::replica(grant.offset), sizeof(T));
        });
        detail::step_all(
            [birth, make] { detail::add_member(birth.grant.id, make(birth)); });
        return Shared<T>(grant.id);
    }

  private:
    const Space &space;
};

template <class T, class Space,
          class = decltype(std::declval<const Space &>().controller())>
SharedAllocation<T, Space> allocate(const Space &space)
{
    return SharedAllocation<T, Space>(space);
}

/* Waits until no core uses the object, then ends it on all cores and frees its
 * memory; T's destructor does not run. A later use is an error. */
template <class T> void release(Shared<T> object)
{
    detail::release_shared(object.id());
}

/* Moves the object's central instance to the core of that rank, when no core
 * uses the object; an error for an object of an EntryConsistencySpace. */
template <class T> void migrate(Shared<T> object, int core)
{
    detail::migrate_shared(object.id(), core);
}

/* The common part of Reader, Writer and MultipleWriter: the access begins with
 * the construction and ends with the destruction. For a Reader, T is const, so
 * that only const methods can be called. Calls are those of object.h; without
 * a Future they run at once if the instance is on this core. */
template <class T> class Access
{
  public:
    Access(const Access &) = delete;
    Access &operator=(const Access &) = delete;
    ~Access()
    {
        controller.leave(mode);
    }

    const Access *operator->() const
    {
        return this;
    }

    template <class F> detail::ResultOn<T, F> invoke(const F &f) const
    {
        if (controller.place() == rank())
            return f(instance());
        return calls().invoke(f);
    }
    template <class F>
    void invoke(const F &f, Future<detail::ResultOn<T, F>> &future) const
    {
        calls().invoke(f, future);
    }
    template <class F> void call(const F &f) const
    {
        if (controller.place() == rank())
            f(instance());
        else
            calls().call(f);
    }
    template <class F> void call(const F &f, Future<void> &future) const
    {
        calls().call(f, future);
    }
    template <class F> void apply(const F &f) const
    {
        if (controller.place() == rank()) {
            f(instance());
        } else {
            controller.note_apply();
            calls().apply(f);
        }
    }

    /* The object itself: this domain's replica, or the instance if it is on
     * this core; otherwise an error. */
    T &operator*() const
    {
        controller.check_here();
        return instance();
    }

  protected:
    Access(uint32_t id, detail::Mode mode)
        : controller(detail::controller_of(id)), mode(mode)
    {
        controller.enter(mode);
    }

  private:
    T &instance() const
    {
        return *static_cast<T *>(detail::replica(controller.offset()));
    }
    auto calls() const
    {
        auto find = [offset = controller.offset()]() -> T & {
            return *static_cast<T *>(detail::replica(offset));
        };
        return Calls<decltype(find)>(controller.place(), find);
    }

    detail::Controller &controller;
    detail::Mode mode;
};

template <class T> class Reader : public Access<const T>
{
  public:
    explicit Reader(Shared<T> object)
        : Access<const T>(object.id(), detail::Mode::READ)
    {
    }
};

template <class T> class Writer : public Access<T>
{
  public:
    explicit Writer(Shared<T> object)
        : Access<T>(object.id(), detail::Mode::WRITE)
    {
    }
};

template <class T> class MultipleWriter : public Access<T>
{
  public:
    explicit MultipleWriter(Shared<T> object)
        : Access<T>(object.id(), detail::Mode::MODIFY)
    {
    }
};
} // namespace mesh

#endif
