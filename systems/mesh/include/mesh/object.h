/*
 * object.h: objects of one core, used from all.
 *
 *   ObjectPtr<Tree> tree = allocate<Tree>(5)(capacity);    // on core 5
 *   Node node = tree->invoke(m2f(&Tree::newNode));
 *   tree->apply(m2f(&Tree::setWeight, node, 5.0));
 *
 *                   waits      result comes later    nobody waits
 *   no result       call(f)    call(f, future)       apply(f)
 *   a result        invoke(f)  invoke(f, future)
 *
 * f is what m2f makes of a method and its arguments, or any function of the
 * object that can be copied byte by byte. With f and the object's core this
 * one, f runs inside the call. An object that was released, or a pointer that
 * was never assigned, is an error on the core where the call runs.
 */
#ifndef MESH_OBJECT_H
#define MESH_OBJECT_H

#include "mesh/messages.h"

namespace mesh
{
/* Makes a function of the object from a method and its arguments, which are
 * copied into it. */
template <class R, class T, class... P>
auto m2f(R (T::*method)(P...), std::common_type_t<std::decay_t<P>>... arguments)
{
    return [=](T &object) -> R { return (object.*method)(arguments...); };
}
template <class R, class T, class... P>
auto m2f(R (T::*method)(P...) const,
         std::common_type_t<std::decay_t<P>>... arguments)
{
    return [=](const T &object) -> R { return (object.*method)(arguments...); };
}

namespace detail
{
/* The objects that live on this core, by number, at most 65,536. A place that
 * is used again gets another number, so that old pointers are recognised.
 * find_object and remove_object, which destroys the object, end the program
 * with an error if there is no object of this number. */
uint32_t add_object(void *object, void (*destroy)(void *));
void *find_object(uint32_t id);
void remove_object(uint32_t id);
size_t object_count();

template <class T> void destroy(void *object)
{
    delete static_cast<T *>(object);
}

template <class T, class F>
using ResultOn = std::decay_t<std::invoke_result_t<const F &, T &>>;
} // namespace detail

/* The calls of an object on core `core`, where find() returns the object. */
template <class Find> class Calls
{
    using T = std::remove_reference_t<std::invoke_result_t<const Find &>>;

  public:
    Calls(int core, Find find) : core(core), find(find)
    {
    }
    const Calls *operator->() const
    {
        return this;
    }

    template <class F> void apply(const F &f) const
    {
        tell(core, without_result(f));
    }
    template <class F> void call(const F &f) const
    {
        ask(core, without_result(f));
    }
    template <class F> void call(const F &f, Future<void> &future) const
    {
        ask(core, without_result(f), future);
    }
    template <class F> detail::ResultOn<T, F> invoke(const F &f) const
    {
        return ask(core, with_result(f));
    }
    template <class F>
    void invoke(const F &f, Future<detail::ResultOn<T, F>> &future) const
    {
        ask(core, with_result(f), future);
    }

  private:
    template <class F> auto with_result(const F &f) const
    {
        return [find = find, f] { return f(find()); };
    }
    template <class F> auto without_result(const F &f) const
    {
        return [find = find, f] { f(find()); };
    }

    int core;
    Find find;
};

/* An object on one core, by its rank and number; may be copied to any core. */
template <class T> class ObjectPtr
{
  public:
    ObjectPtr() = default;
    ObjectPtr(int core, uint32_t id) : home(core), id(id)
    {
    }

    auto operator->() const
    {
        auto find = [id = id]() -> T & {
            return *static_cast<T *>(detail::find_object(id));
        };
        return Calls<decltype(find)>(home, find);
    }
    int core() const
    {
        return home;
    }

    /* The object itself; may be called only on the core where it lives. */
    T &local() const
    {
        if (home != rank())
            fail("only a core's own objects are in its memory: call, invoke "
                 "or apply a method",
                 "local() of an object of UE %d", home);
        return *static_cast<T *>(detail::find_object(id));
    }
    /* Destroys the object on its core, and returns when that is done. A later
     * use is an error. */
    void release() const
    {
        ask(home, [id = id] { detail::remove_object(id); });
    }

  private:
    int home = -1;
    uint32_t id = 0;
};

template <class T> class Allocation
{
  public:
    explicit Allocation(int core) : core(core)
    {
    }

    template <class... A> ObjectPtr<T> operator()(A... arguments) const
    {
        auto create = [arguments...] {
            return detail::add_object(new T(arguments...), detail::destroy<T>);
        };
        return ObjectPtr<T>(core, ask(core, create));
    }

  private:
    int core;
};

/* allocate<T>(core)(arguments) constructs a T on the core of that rank, waits
 * until it is done, and returns a pointer to it. */
template <class T> Allocation<T> allocate(int core)
{
    return Allocation<T>(core);
}
} // namespace mesh

#endif
