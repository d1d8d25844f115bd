// Errors are reported: what, which object, which core, what to do. The argument
// says which; test_mesh.py has the words.
// cc: -O2 -lmesh -lrcce
// run: -n 2 --tag none -- released
// expect-exit: 75
// expect-stderr: mesh: UE 0 \(core 0\): object 0, generation 0, of this core was used after its release
#include "mesh.h"

#include <string>

using namespace mesh;

struct Thing {
    int value = 0;
    void set(int number)
    {
        value = number;
    }
};

struct Large {
    Large()
    {
    }
    char bytes[5 << 20];
};

struct Huge {
    char bytes[9 << 20];
};

static void make_mistake(const std::string &which)
{
    EntryConsistencySpace space;
    auto shared = allocate<Thing>(space)();
    auto own = allocate<Thing>(rank())();
    auto other = allocate<Thing>(1)();

    if (which == "released") {
        own.release();
        own->apply(m2f(&Thing::set, 1));
    } else if (which == "shared-released") {
        release(shared);
        Reader<Thing> reader(shared);
    } else if (which == "never-assigned") {
        Reader<Thing>{Shared<Thing>()};
    } else if (which == "no-core") {
        ObjectPtr<Thing>()->call(m2f(&Thing::set, 1));
    } else if (which == "no-space") {
        MigrationSpace nowhere(2);
    } else if (which == "local") {
        other.local().set(1);
    } else if (which == "both") {
        Reader<Thing> reader(shared);
        Writer<Thing> writer(shared);
    } else if (which == "inside") {
        Writer<Thing> writer(shared);
        Reader<Thing> reader(shared);
    } else if (which == "several") {
        MultipleWriter<Thing> writer(shared);
    } else if (which == "elsewhere") {
        Reader<Thing> reader(allocate<Thing>(MigrationSpace(1))());
        (void)*reader;
    } else if (which == "move") {
        migrate(shared, 1);
    } else if (which == "huge") {
        allocate<Huge>(space)();
    } else if (which == "full") {
        for (;;)
            allocate<Large>(space)();
    } else if (which == "handler") {
        ask(1,
            [shared] { tell(0, [shared] { Writer<Thing> writer(shared); }); });
        for (;;)
            poll();
    }
}

int main(int argc, char **argv)
{
    Job job(&argc, &argv);

    if (rank() == 0 && argc > 1)
        make_mistake(argv[1]);
    return 0;
}
