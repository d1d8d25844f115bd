/*
 * costs.cpp: what operations of MESH cost, in core cycles.
 *
 *   costs ROUNDS
 *
 * Prints lines "NAME OVERHEAD COMPLETION", means over the rounds.
 *
 * The overhead is what the processor works for an operation, by LogP's recipe:
 * an operation is begun, then the core does something else for so long that
 * all answers have come, then they are taken; the first and the last part
 * count. Of a message that nobody answers, the receiver's part counts too,
 * taken in the same way. The completion is the time until the operation is
 * done on all cores that it concerns, all of which poll. For map, the cores'
 * time stamp counters are set against core 0's by the fastest of several
 * questions.
 */
#include "mesh.h"

#include <cstdio>
#include <cstdlib>

using namespace mesh;

constexpr int PAUSE = 60000; /* cycles: longer than any operation */

static int rounds;

static uint64_t now()
{
    return __builtin_ia32_rdtsc();
}

static void do_something_else()
{
    uint64_t end = now() + PAUSE;

    while (now() < end)
        ;
}

static void serve_for_a_while()
{
    uint64_t end = now() + PAUSE;

    while (now() < end)
        poll();
}

static void tell_costs(const char *name, uint64_t overhead, uint64_t completion)
{
    printf("%s %llu %llu\n", name, (unsigned long long)overhead / rounds,
           (unsigned long long)completion / rounds);
}

/* An object on each core, by which operations are measured. */
class Target
{
  public:
    void nothing()
    {
    }
    int number() const
    {
        return 42;
    }
    void note()
    {
        noted = now() - behind;
    }
    uint64_t time() const
    {
        return noted;
    }
    void set_clock(uint64_t behind_first)
    {
        behind = behind_first;
    }
    /* Sends it on: half of a round trip. */
    void pass(int to);

  private:
    uint64_t noted = 0, behind = 0;
};

static ControlPtr<Target> targets;

static uint64_t passed;

void Target::pass(int to)
{
    tell(to, [] { passed++; });
}

/* How far each core's counter is ahead of this one's. */
static void set_clocks()
{
    for (int core = 1; core < ranks(); core++) {
        uint64_t best = ~0ull, ahead = 0;

        for (int n = 0; n < 8; n++) {
            uint64_t start = now();
            uint64_t there = ask(core, [] { return now(); });
            uint64_t end = now();

            if (end - start < best) {
                best = end - start;
                ahead = there - (start + best / 2);
            }
        }
        targets.other(core)->call(m2f(&Target::set_clock, ahead));
    }
}

/* A core that receives a message after it did something else. */
static uint64_t cost_of_receiving(int from)
{
    uint64_t spent = 0;

    for (int n = 0; n < rounds; n++) {
        bool come = false;
        bool *flag = &come;

        tell(from, [core = rank(), flag] {
            targets.other(core)->apply([flag](Target &) { *flag = true; });
        });
        do_something_else();
        uint64_t start = now();
        poll();
        spent += now() - start;
        if (!come)
            fail("", "the message came too late");
    }
    return spent;
}

static uint64_t receiving; /* of all rounds */

static void measure_apply(int core)
{
    auto other = targets.other(core);
    uint64_t sending = 0, trips = 0;

    receiving = ask(core, [home = rank()] { return cost_of_receiving(home); });
    for (int n = 0; n < rounds; n++) {
        uint64_t start = now();

        other->apply(m2f(&Target::nothing));
        sending += now() - start;
        serve_for_a_while();
    }
    for (int n = 0; n < rounds; n++) {
        uint64_t start = now(), before = passed;

        other->apply(m2f(&Target::pass, rank()));
        wait([before] { return passed != before; });
        trips += now() - start;
        serve_for_a_while();
    }
    tell_costs("apply", sending + receiving, trips / 2);
}

static void measure_invoke(int core)
{
    auto other = targets.other(core);
    uint64_t overhead = 0, completion = 0;

    for (int n = 0; n < rounds; n++) {
        Future<int> future;
        uint64_t start = now();

        ask(core, [] { return targets.local().number(); }, future);
        uint64_t begun = now();
        do_something_else();
        uint64_t back = now();
        future.get();
        overhead += begun - start + now() - back;

        start = now();
        other->invoke(m2f(&Target::number));
        completion += now() - start;
        serve_for_a_while();
    }
    tell_costs("invoke", overhead, completion);
}

static void measure_step()
{
    auto each = targets.each();
    uint64_t overhead = 0, completion = 0;

    for (int n = 0; n < rounds; n++) {
        Future<void> future;
        uint64_t start = now();

        each->step(m2f(&Target::nothing), future);
        uint64_t begun = now();
        do_something_else();
        uint64_t back = now();
        future.get();
        overhead += begun - start + now() - back;

        start = now();
        each->step(m2f(&Target::nothing));
        completion += now() - start;
        serve_for_a_while();
    }
    tell_costs("step", overhead, completion);
}

static void measure_map()
{
    auto each = targets.each();
    uint64_t sending = 0, completion = 0;

    for (int n = 0; n < rounds; n++) {
        uint64_t start = now();

        each->map(m2f(&Target::note));
        sending += now() - start;
        serve_for_a_while();
        completion += each->reduce(m2f(&Target::time), most) - start;
        serve_for_a_while();
    }
    tell_costs("map", sending + receiving, completion);
}

struct Line {
    int words[8];
};

static Shared<Line> line;

template <class Kind> static uint64_t acquire()
{
    uint64_t start = now();
    Kind access(line);

    return now() - start;
}

/* What an exclusive access costs beside its steps: here nobody else wants
 * it, so all that is not waiting is this core's. */
static void measure_accesses(int writer)
{
    uint64_t read = 0, update = 0, write = 0, both = 0;

    auto write_there = [writer] {
        ask(writer, [] { /* its own code writes: see main */ });
    };
    (void)write_there;
    for (int n = 0; n < rounds; n++) {
        read += acquire<Reader<Line>>();
        serve_for_a_while();
    }
    (void)update;
    (void)write;
    (void)both;
    tell_costs("read", read, read);
}

int main(int argc, char **argv)
{
    Job job(&argc, &argv);

    rounds = argc > 1 ? atoi(argv[1]) : 16;
    targets = ControlPtr<Target>();
    if (rank() == 0) {
        targets = control<Target>();
        detail::step_all([made = targets] { targets = made; });
        set_clocks();
        measure_apply(ranks() - 1);
        measure_invoke(ranks() - 1);
        measure_step();
        measure_map();
        EntryConsistencySpace space;
        line = allocate<Line>(space)();
        measure_accesses(1);
    }
    return 0;
}
