/*
 * storm.cpp: random operations on shared objects by all cores.
 *
 *   storm OPERATIONS OBJECTS SEED
 *
 * Each core makes its share of the operations: it reads, writes, adds to and
 * moves shared objects of both kinds of spaces, makes and releases objects of
 * its own, and calls objects on other cores. An object's words must be alike
 * whenever it is read; at the end the sums of what all cores added must be in
 * the objects, and nothing may be left of what was released.
 */
#include "mesh.h"

#include <cstdio>
#include <cstdlib>

using namespace mesh;

constexpr int WORDS = 20, MOST_OBJECTS = 64;

static uint32_t state;

static unsigned draw(unsigned range)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % range;
}

/* All words are alike, but inside a writer. */
class Record
{
  public:
    void add(int amount)
    {
        for (int &word : words)
            word += amount;
    }
    int value() const
    {
        for (int word : words)
            if (word != words[0])
                fail("a storm must not find that", "%d beside %d", word,
                     words[0]);
        return words[0];
    }

  private:
    int words[WORDS] = {};
};

static Shared<Record> replicated[MOST_OBJECTS], central[MOST_OBJECTS];
static ControlPtr<Record> counters;
static int objects;
static int added; /* by this core, to all objects */

static void read_or_write(unsigned kind)
{
    unsigned which = draw((unsigned)objects);
    int amount = (int)draw(9);

    if (kind < 60) {
        Reader<Record> reader(replicated[which]);
        reader->invoke(m2f(&Record::value));
    } else if (kind < 70) {
        Writer<Record> writer(replicated[which]);
        (*writer).value();
        (*writer).add(amount);
        added += amount;
    } else if (kind < 85) {
        MultipleWriter<Record> writer(central[which]);
        writer->apply(m2f(&Record::add, amount));
        added += amount;
    } else if (kind < 93) {
        Reader<Record> reader(central[which]);
        reader->invoke(m2f(&Record::value));
    } else if (kind < 96) {
        Writer<Record> writer(central[which]);
        writer->apply(m2f(&Record::add, amount));
        writer->invoke(m2f(&Record::value));
        added += amount;
    } else if (kind < 97) {
        migrate(central[which], (int)draw((unsigned)ranks()));
    } else {
        counters.other((int)draw((unsigned)ranks()))
            ->apply(m2f(&Record::add, amount));
        added += amount;
    }
}

/* Objects that come and go: one here or there, one shared. */
static void make_and_release()
{
    int core = (int)draw((unsigned)ranks());
    auto object = allocate<Record>(core)();

    object->call(m2f(&Record::add, 3));
    if (object->invoke(m2f(&Record::value)) != 3)
        fail("a storm must not find that", "an object was lost");
    object.release();
    auto shared = allocate<Record>(EntryConsistencySpace())();
    {
        Writer<Record> writer(shared);
        (*writer).add(core);
    }
    release(shared);
}

static void operate(int operations)
{
    for (int n = 0; n < operations; n++) {
        unsigned kind = draw(200);

        if (kind < 199)
            read_or_write(kind % 100);
        else
            make_and_release();
        poll();
    }
}

static void prepare()
{
    ControlPtr<Record> made = control<Record>();

    detail::step_all([made] { counters = made; });
    for (int n = 0; n < objects; n++) {
        auto first = allocate<Record>(EntryConsistencySpace())();
        auto second = allocate<Record>(MigrationSpace(n % ranks()))();

        detail::step_all([n, first, second] {
            replicated[n] = first;
            central[n] = second;
        });
    }
}

static int sum_and_release()
{
    int found = counters.each()->reduce(m2f(&Record::value), sum);

    for (int n = 0; n < objects; n++) {
        found += Reader<Record>(replicated[n])->invoke(m2f(&Record::value));
        found += Reader<Record>(central[n])->invoke(m2f(&Record::value));
        release(replicated[n]);
        release(central[n]);
    }
    counters.release();
    return found;
}

int main(int argc, char **argv)
{
    Job job(&argc, &argv);
    int operations = argc > 1 ? atoi(argv[1]) : 1000;

    objects = argc > 2 ? atoi(argv[2]) : 8;
    state = (argc > 3 ? (uint32_t)atoi(argv[3]) : 1) * 48271 + (uint32_t)rank();
    if (operations < 1 || objects < 1 || objects > MOST_OBJECTS)
        fail("storm OPERATIONS OBJECTS SEED, up to 64 objects",
             "%d operations on %d objects", operations, objects);
    if (rank() == 0)
        prepare();
    barrier();
    operate((operations + ranks() - 1) / ranks());
    settle();
    if (rank() != 0)
        return 0;
    Future<int> total;
    detail::reduce_all([] { return added; }, sum, total);
    int wanted = total.get(), found = sum_and_release();
    Future<int> left;
    detail::reduce_all([] { return (int)detail::object_count(); }, sum, left);
    printf("added %d, found %d; left: %zu shared objects, %zu bytes, "
           "%d objects\n",
           wanted, found, detail::grant_count(), detail::grant_bytes(),
           left.get());
    return wanted != found;
}
