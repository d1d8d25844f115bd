// What each access of both spaces sees, containers, and a migration.
// cc: -O2 -lmesh -lrcce
// run: --cores 0,2,10,30,26 --tag none --check coherence
// expect-stdout:
// replica 1 3, central 10 from 4
// moved to 3: 15
// members 10, of odd cores 24; leaders 4, replicas 4 4
// left 0 0
// expect-stderr: no findings
#include "mesh.h"

#include <cstdio>

using namespace mesh;

class Number
{
  public:
    explicit Number(int first) : value(first)
    {
    }
    void add(int amount)
    {
        value += amount;
    }
    int get() const
    {
        return value;
    }
    int where() const
    {
        return rank();
    }

  private:
    int value;
};

static Shared<Number> replicated, central;

static void use_spaces()
{
    int before = Reader<Number>(replicated)->invoke(m2f(&Number::get));

    barrier();
    if (rank() == 3) {
        Writer<Number> writer(replicated);
        (*writer).add(2);
    }
    {
        MultipleWriter<Number> writer(central);
        writer->apply(m2f(&Number::add, rank()));
    }
    barrier();
    int after = Reader<Number>(replicated)->invoke(m2f(&Number::get));
    if (after != 3)
        fail("written before the barrier", "an old %d", after);
    if (rank() != 1)
        return;
    printf("replica %d %d, ", before, after);
    Writer<Number> writer(central);
    printf("central %d from %d\n", writer->invoke(m2f(&Number::get)),
           writer->invoke(m2f(&Number::where)));
}

static void use_migration()
{
    barrier();
    if (rank() == 2)
        migrate(central, 3);
    barrier();
    if (rank() == 0) {
        MultipleWriter<Number> number(central);

        number->call(m2f(&Number::add, 5));
        printf("moved to %d: %d\n", number->invoke(m2f(&Number::where)),
               number->invoke(m2f(&Number::get)));
    }
    barrier();
}

static void use_containers()
{
    ControlPtr<Number> members = control<Number>(0);
    StoragePtr<int> replicas = storage<int>(0);

    members.each()->step([](Number &number) { number.add(rank()); });
    printf("members %d, ", members.each()->reduce(m2f(&Number::get), sum));
    members.each([] { return rank() % 2 == 1; })->step(m2f(&Number::add, 10));
    int odd = members.other(1)->invoke(m2f(&Number::get)) +
              members.other(3)->invoke(m2f(&Number::get));
    ControlPtr<Number> leaders = control<Number>(0);
    replicas.leaders()->step([leaders](int &replica) {
        replica = 4;
        leaders.local().add(1);
    });
    printf("of odd cores %d; leaders %d, ", odd,
           leaders.each()->reduce(m2f(&Number::get), sum));
    replicas.flush();
    int here = replicas.local();
    ask(2, [replicas] { replicas.flush(); });
    printf("replicas %d %d\n", here,
           ask(2, [replicas] { return replicas.local(); }));
    members.release();
    leaders.release();
    replicas.release();
}

int main(int argc, char **argv)
{
    Job job(&argc, &argv);

    if (rank() == 0) {
        auto first = allocate<Number>(EntryConsistencySpace())(1);
        auto second = allocate<Number>(MigrationSpace(4))(0);

        ControlPtr<int>(control<int>(0)).each()->step([=](int &) {
            replicated = first;
            central = second;
        });
    }
    barrier();
    use_spaces();
    use_migration();
    if (rank() != 0)
        return 0;
    use_containers();
    release(replicated);
    release(central);
    printf("left %zu %zu\n", detail::grant_count() - 1, detail::grant_bytes());
    return 0;
}
