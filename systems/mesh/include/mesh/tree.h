/*
 * tree.h: functions that run on all cores, along a binomial tree.
 *
 * The calling core is the root. A core passes a function on to its children,
 * the largest subtree first, before it runs the function itself. Results
 * return along the same tree: a core reports when it and all cores below it
 * have finished. Two calls of one root reach every core in the order in which
 * they were made.
 */
#ifndef MESH_TREE_H
#define MESH_TREE_H

#include "mesh/messages.h"

namespace mesh
{
namespace detail
{
/* Sends a message of a collective to this core's children in the tree; returns
 * how many children there are. The tag is the rank of the tree's root, perhaps
 * with UNCOUNTED. */
int pass_on(unsigned tag, Handler handler, const void *payload, size_t bytes);

inline int root_of(unsigned tag)
{
    return (int)(tag & ~UNCOUNTED);
}

template <class F> void run_mapped(const Message &message)
{
    pass_on(message.tag, run_mapped<F>, message.payload, message.bytes);
    message.as<F>()();
}

/* Runs `f` on all cores, on this one inside the call. The function returns
 * before the others have finished, and the caller is not informed of their
 * end. */
template <class F> void map_all(const F &f)
{
    static_assert(std::is_trivially_copyable_v<F>,
                  "what is sent to another core is copied byte by byte");
    pass_on((unsigned)rank(), run_mapped<F>, &f,
            std::is_empty_v<F> ? 0 : sizeof f);
    f();
}

/* A function that is called at the tree's root when all cores have finished. */
struct Then {
    void (*function)(void *);
    void *argument;
};

/* A collective call that this core, or a core below it in the tree, has not
 * finished. `missing`: how many parts: this core's own and one a child. */
struct Step {
    int parent; /* its rank; -1: this is the root */
    int missing;
    union {
        Step *above; /* valid on the parent's core */
        Then then;
    };
};
Step *new_step(const Step &step); /* a copy, until it is finished */
/* Counts one part as finished. After the last one, informs the parent, or at
 * the root calls `then`, and frees the step. */
void finish_part(Step *step);

/* For a function of step_all whose work ends later than the function returns:
 * the function takes a Later, and done(), called once, reports the end. */
class Later
{
  public:
    Later() = default;
    explicit Later(Step *step) : step(step)
    {
    }
    void done() const
    {
        finish_part(step);
    }

  private:
    Step *step = nullptr;
};

template <class F> struct Stepped {
    Step *above;
    F f;
};

template <class F> void run_part(const F &f, Step *step)
{
    if constexpr (std::is_invocable_v<const F &, Later>) {
        f(Later(step));
    } else {
        f();
        finish_part(step);
    }
}

template <class F> void run_stepped(const Message &message)
{
    Stepped<F> part = message.as<Stepped<F>>();
    Step *step = new_step({message.from, 1, {part.above}});

    part.above = step;
    step->missing += pass_on(message.tag, run_stepped<F>, &part, message.bytes);
    run_part(part.f, step);
}

/* Runs `f` on all cores; calls `then` on this one when all have finished. */
template <class F> void step_all(const F &f, Then then)
{
    static_assert(std::is_trivially_copyable_v<F>,
                  "what is sent to another core is copied byte by byte");
    Step *step = new_step({-1, 1, {}});
    Stepped<F> part{step, f};

    step->then = then;
    step->missing +=
        pass_on((unsigned)rank(), run_stepped<F>, &part, sizeof part);
    run_part(part.f, step);
}

/* What sets a future, which is under way from now on. */
inline Then set_future(Future<void> &future)
{
    future.expect();
    return {
        [](void *argument) { static_cast<Future<void> *>(argument)->set(); },
        &future};
}

/* Runs `f` on all cores and waits, serving, until all have finished. */
template <class F> void step_all(const F &f)
{
    Future<void> future;

    step_all(f, set_future(future));
    future.get();
}

/* A reduction for which this core still waits for results. `missing`: how many,
 * its own included; `any`: `value` merges those that have come; `parent`: its
 * rank, where `above` is valid; -1: this is the root, which sets `future`. */
template <class R> struct Reduction {
    int parent;
    int missing;
    bool any;
    R value;
    union {
        Reduction *above;
        Future<R> *future;
    };
};

template <class R, class Op> struct Part {
    Reduction<R> *reduction;
    R value;
    Op merge;
};

template <class R, class Op> void take_part(const Message &message);

template <class R, class Op>
void merge_part(Reduction<R> *reduction, const R &value, const Op &merge,
                unsigned tag)
{
    reduction->value = reduction->any ? merge(reduction->value, value) : value;
    reduction->any = true;
    if (--reduction->missing)
        return;
    if (reduction->parent < 0)
        reduction->future->set(reduction->value);
    else
        send(reduction->parent, take_part<R, Op>,
             Part<R, Op>{reduction->above, reduction->value, merge}, tag);
    delete reduction;
}

template <class R, class Op> void take_part(const Message &message)
{
    const auto &part = message.as<Part<R, Op>>();

    merge_part(part.reduction, part.value, part.merge, message.tag);
}

template <class F, class Op> struct Reduced {
    Reduction<Result<F>> *above;
    F f;
    Op merge;
};

template <class F, class Op> void run_reduced(const Message &message)
{
    using R = Result<F>;
    Reduced<F, Op> part = message.as<Reduced<F, Op>>();
    auto *reduction =
        new Reduction<R>{message.from, 1, false, {}, {part.above}};

    part.above = reduction;
    reduction->missing +=
        pass_on(message.tag, run_reduced<F, Op>, &part, message.bytes);
    merge_part(reduction, R(part.f()), part.merge, message.tag);
}

/* Runs `f` on all cores; sets the future to the results, merged by `merge` in
 * any order, two at a time. `flags`: 0 or UNCOUNTED. */
template <class F, class Op>
void reduce_all(const F &f, const Op &merge, Future<Result<F>> &future,
                unsigned flags = 0)
{
    using R = Result<F>;
    static_assert(std::is_trivially_copyable_v<F> &&
                      std::is_trivially_copyable_v<Op> &&
                      std::is_trivially_copyable_v<R>,
                  "what is sent to another core is copied byte by byte");
    auto *reduction = new Reduction<R>{-1, 1, false, {}, {}};
    Reduced<F, Op> part{reduction, f, merge};
    unsigned tag = (unsigned)rank() | flags;

    future.expect();
    reduction->future = &future;
    reduction->missing += pass_on(tag, run_reduced<F, Op>, &part, sizeof part);
    merge_part(reduction, R(part.f()), part.merge, tag);
}
} // namespace detail
} // namespace mesh

#endif
