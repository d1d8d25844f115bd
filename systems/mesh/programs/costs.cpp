/*
 * costs.cpp: what operations of MESH cost, in core cycles.
 *
 *   costs ROUNDS
 *
 * Prints lines "NAME OVERHEAD COMPLETION", means over the rounds; two rounds
 * before them are not counted.
 *
 * The overhead is what the processor works for an operation, by LogP's recipe:
 * an operation is begun, then the core does something else for so long that
 * all answers have come, then they are taken; the first and the last part
 * count. Of a message that nobody answers, the receiver's part counts too,
 * taken in the same way. The completion is the time until the operation is
 * done on all cores that it concerns, all of which poll. Where several cores'
 * time stamp counters are compared, they were set against core 0's by the
 * fastest of several questions.
 *
 * Accesses have no overhead here: they cannot be begun and taken later. Their
 * completion is that of the constructor, of a Writer also from the destructor
 * until the cores of the own domain, which wait to read, were let in.
 */
#include "mesh.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace mesh;

constexpr int PAUSE = 30000; /* cycles: longer than any operation */
constexpr int WARM = 2;      /* rounds that are not counted */

static int rounds;

static uint64_t now()
{
    return __builtin_ia32_rdtsc();
}

/* Cycles since `start`, without those of reading the counter. */
static unsigned since(uint64_t start)
{
    static const unsigned timer = [] {
        uint64_t first = now();
        return (unsigned)(now() - first);
    }();

    return (unsigned)(now() - start) - timer;
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

/* The mean of what `measure` returns. */
template <class Measure> static unsigned mean(Measure measure)
{
    unsigned sum = 0;

    for (int n = 0; n < WARM + rounds; n++) {
        unsigned cycles = measure();

        if (n >= WARM)
            sum += cycles;
    }
    return sum / (unsigned)rounds;
}

/* A member on each core, by which operations are measured. */
class Target
{
  public:
    void nothing()
    {
    }
    int number()
    {
        return 42;
    }
    void note()
    {
        noted = time();
    }
    uint64_t when()
    {
        return noted;
    }
    uint64_t time() const
    {
        return now() - ahead;
    }
    void set_clock(uint64_t cycles)
    {
        ahead = cycles;
    }

  private:
    uint64_t noted = 0;
    uint64_t ahead = 0; /* this core's counter against core 0's */
};

static ControlPtr<Target> targets;

static void set_clocks()
{
    for (int core = 1; core < ranks(); core++) {
        uint64_t best = ~0ull, ahead = 0;

        for (int n = 0; n < 8; n++) {
            uint64_t start = now();
            uint64_t there = ask(core, [] { return now(); });
            uint64_t took = now() - start;

            if (took < best) {
                best = took;
                ahead = there - (start + took / 2);
            }
        }
        targets.other(core)->call(m2f(&Target::set_clock, ahead));
    }
}

/* Begun, and taken when all has come. */
template <class R, class Begin> static unsigned overhead(Begin begin)
{
    return mean([begin] {
        Future<R> future;
        uint64_t start = now();

        begin(future);
        unsigned begun = since(start);
        do_something_else();
        start = now();
        future.get();
        return begun + since(start);
    });
}

/* On another core: what one message costs its receiver. */
static unsigned cost_of_receiving(int from)
{
    return mean([from] {
        tell(from, [core = rank()] {
            targets.other(core)->apply(m2f(&Target::nothing));
        });
        do_something_else();
        uint64_t start = now();
        poll();
        return since(start);
    });
}

static int passed; /* messages that came back */

static unsigned half_a_round_trip(int core)
{
    return mean([core] {
        int before = passed;
        uint64_t start = now();

        targets.other(core)->apply(
            [home = rank()](Target &) { tell(home, [] { passed++; }); });
        wait([before] { return passed != before; });
        return since(start) / 2;
    });
}

struct Messages {
    unsigned sending, receiving, trip, asking, answered;
};

/* This core and another one. */
static Messages measure_messages(int core)
{
    auto other = targets.other(core);
    Messages cost;

    cost.receiving =
        ask(core, [home = rank()] { return cost_of_receiving(home); });
    cost.sending = mean([other] {
        uint64_t start = now();

        other->apply(m2f(&Target::nothing));
        unsigned took = since(start);
        serve_for_a_while();
        return took;
    });
    cost.trip = half_a_round_trip(core);
    cost.asking = overhead<int>([other](Future<int> &future) {
        other->invoke(m2f(&Target::number), future);
    });
    cost.answered = mean([other] {
        uint64_t start = now();

        other->invoke(m2f(&Target::number));
        return since(start);
    });
    return cost;
}

/* The mean over all other cores; returns the receiver's part. */
static unsigned measure_messages()
{
    Messages sum{};
    unsigned others = (unsigned)ranks() - 1;

    for (int core = 1; core < ranks(); core++) {
        Messages cost = measure_messages(core);

        sum.sending += cost.sending;
        sum.receiving += cost.receiving;
        sum.trip += cost.trip;
        sum.asking += cost.asking;
        sum.answered += cost.answered;
    }
    printf("apply %u %u\n", (sum.sending + sum.receiving) / others,
           sum.trip / others);
    printf("invoke %u %u\n", sum.asking / others, sum.answered / others);
    return sum.receiving / others;
}

/* This core and all. */
static void measure_collectives(unsigned receiving)
{
    auto each = targets.each();
    unsigned stepping = overhead<void>([each](Future<void> &future) {
        each->step(m2f(&Target::nothing), future);
    });
    unsigned stepped = mean([each] {
        uint64_t start = now();

        each->step(m2f(&Target::nothing));
        return since(start);
    });
    unsigned mapping = mean([each] {
        uint64_t start = now();

        each->map(m2f(&Target::note));
        unsigned took = since(start);
        serve_for_a_while();
        return took;
    });
    unsigned mapped = mean([each] {
        uint64_t start = targets.local().time();

        each->map(m2f(&Target::note));
        serve_for_a_while();
        return (unsigned)(each->reduce(m2f(&Target::when), most) - start);
    });

    printf("step %u %u\n", stepping, stepped);
    printf("map %u %u\n", mapping + receiving, mapped);
}

struct Line {
    int words[8];
};

static Shared<Line> line;
static bool may_read;

/* The time of the constructor. */
template <class Kind> static unsigned acquire()
{
    uint64_t start = now();
    Kind access(line);

    return since(start);
}

/* Of a Writer: until it has begun, and from its end until others read. */
static unsigned write_and_let_in()
{
    uint64_t start = now(), left, begun;

    {
        Writer<Line> access(line);
        begun = since(start);
        (*access).words[0]++;
        targets.each()->map([](Target &) { may_read = true; });
        serve_for_a_while();
        left = targets.local().time();
    }
    barrier();
    return (unsigned)(begun + targets.each()->reduce(m2f(&Target::when), most) -
                      left);
}

/* The others: those of the writer's domain wait to read. */
static void wait_to_read(int writer)
{
    wait([] { return may_read; });
    if (domain() == domain_of(writer)) {
        Reader<Line> access(line);
        targets.local().note();
    }
    barrier();
}

static unsigned write_once(int writer)
{
    unsigned cycles = 0;

    may_read = false;
    barrier();
    if (rank() == writer)
        cycles = write_and_let_in();
    else
        wait_to_read(writer);
    barrier();
    return cycles;
}

/* By the last core, so that the replica of the first domain is invalid. */
static void write_elsewhere()
{
    barrier();
    if (rank() == ranks() - 1)
        Writer<Line>{line};
    barrier();
}

/* All cores run this; `writer` allocated the object. */
static void measure_accesses(int writer, const char *where)
{
    unsigned read = mean(
        [writer] { return rank() == writer ? acquire<Reader<Line>>() : 0; });
    unsigned update = mean([writer] {
        write_elsewhere();
        return rank() == writer ? acquire<Reader<Line>>() : 0;
    });
    unsigned write = mean([writer] { return write_once(writer); });
    unsigned both = mean([writer] {
        write_elsewhere();
        return write_once(writer);
    });

    if (rank() == writer)
        printf("read%s 0 %u\nread+update%s 0 %u\nwrite%s 0 %u\n"
               "write+update%s 0 %u\n",
               where, read, where, update, where, write, where, both);
}

int main(int argc, char **argv)
{
    Job job(&argc, &argv);
    int home = 2; /* not the core that leads its domain */

    rounds = argc > 1 ? atoi(argv[1]) : 16;
    if (rounds < 1 || ranks() <= home)
        fail("costs ROUNDS, with 3 cores and more", "nothing to measure");
    if (rank() == 0) {
        ControlPtr<Target> made = control<Target>();

        detail::step_all([made] { targets = made; });
        set_clocks();
        measure_collectives(measure_messages());
    }
    barrier();
    if (rank() == home) {
        Shared<Line> made = allocate<Line>(EntryConsistencySpace())();

        detail::step_all([made] { line = made; });
    }
    barrier();
    measure_accesses(home, "");
    measure_accesses(std::min(home + 2, ranks() - 1), "-elsewhere");
    return 0;
}
