// Mistakes with memory of C++, one on each core; with MENDED nobody makes any.
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "RCCE.h"

#ifdef MENDED
#define WRONG(wrong, right) right
#else
#define WRONG(wrong, right) wrong
#endif

static void *volatile hidden;
static volatile int sum;

struct Particle {
    double x[3];
    int kind;
};

static void deleted_and_used()
{
    auto *one = new Particle{{1, 2, 3}, 4};

    hidden = one;
    WRONG(delete one, sum = sum + 1);
    sum = sum + static_cast<Particle *>(hidden)->kind; /* 0 use-after-free */
    WRONG(sum = 0, delete one);
}

static void array_too_short()
{
    auto *all = new Particle[5];

    hidden = all;
    for (int i = 0; i < WRONG(6, 5); i++)
        static_cast<Particle *>(hidden)[i].kind = i; /* 1 beyond-block */
    delete[] all;
}

static void iterator_of_a_grown_vector()
{
    std::vector<int> numbers{1, 2, 3};
    int *first = numbers.data();

    hidden = first;
    for (int i = 0; i < 100; i++)
        numbers.push_back(i);
    first = WRONG(static_cast<int *>(hidden), numbers.data());
    *static_cast<volatile int *>(first) = 5; /* 2 use-after-free */
}

static void deleted_twice()
{
    auto *one = new Particle;

    hidden = one;
    delete one;
    WRONG(delete static_cast<Particle *>(hidden), sum = 0); /* 3 double-free */
}

static void view_of_a_string_that_ended()
{
    const char *letters = "";
    auto text = std::make_unique<std::string>("long enough to lie on the heap");

    letters = text->c_str();
    hidden = const_cast<char *>(letters);
    WRONG(text.reset(), sum = 0);
    sum = static_cast<const char *>(hidden)[3]; /* 4 use-after-free */
}

static void never_deleted()
{
    hidden = new Particle; /* 5 leak */
    WRONG(sum = 0, delete static_cast<Particle *>(hidden));
    hidden = nullptr;
}

static void (*const faults[])() = {
    deleted_and_used,
    array_too_short,
    iterator_of_a_grown_vector,
    deleted_twice,
    view_of_a_string_that_ended,
    never_deleted,
};

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    faults[RCCE_ue()]();
    RCCE_finalize();
    return 0;
}
