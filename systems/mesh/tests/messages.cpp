// Methods of objects on other cores: results, futures, long arguments, order.
// cc: -O2 -lmesh -lrcce
// run: -n 6 --tag none --check coherence
// expect-stdout:
// sum 499500, name 250 of 256 bytes, squares 0 1 4 9 16 25
// objects left 0
// expect-stderr: no findings
#include "mesh.h"

#include <cstdio>

struct Name {
    char text[256];
};

class Log
{
  public:
    explicit Log(int first) : next(first)
    {
    }
    void add(int number)
    {
        if (number != next)
            mesh::fail("messages of one core come in order",
                       "%d came instead of %d", number, next);
        next++;
        total += number;
    }
    int sum() const
    {
        return total;
    }
    int count(Name name)
    {
        int spaces = 0;

        for (char letter : name.text)
            spaces += letter == ' ';
        return spaces;
    }

  private:
    int next, total = 0;
};

static int square(int number)
{
    return number * number;
}

int main(int argc, char **argv)
{
    mesh::Job job(&argc, &argv);
    if (mesh::rank() != 0)
        return 0;
    auto log = mesh::allocate<Log>(5)(0);
    mesh::Future<int> squares[6];
    Name name;

    for (int n = 0; n < 1000; n++)
        log->apply(mesh::m2f(&Log::add, n));
    for (size_t at = 0; at < sizeof name.text; at++)
        name.text[at] = at < 250 ? ' ' : '.';
    printf("sum %d, ", log->invoke(mesh::m2f(&Log::sum)));
    printf("name %d of %zu bytes", log->invoke(mesh::m2f(&Log::count, name)),
           sizeof name.text);
    for (int core = 0; core < 6; core++)
        mesh::ask(core, [] { return square(mesh::rank()); }, squares[core]);
    printf(", squares");
    for (auto &result : squares)
        printf(" %d", result.get());
    log.release();
    printf("\nobjects left %d\n",
           mesh::ask(5, [] { return (int)mesh::detail::object_count(); }));
    return 0;
}
