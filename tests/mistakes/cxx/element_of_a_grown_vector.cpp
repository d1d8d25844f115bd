// A pointer to an element of a vector is used after the vector has grown.
// cc: -O1 -g
// run: -n 1 --check memory
// expect-stderr: use-after-free: core 0 read byte 0 of a block of 12 bytes, which was freed
// expect-stderr: hint: let element_of_a_grown_vector\.cpp:20 not use the block any more: a container that grows

#include <cstdio>
#include <vector>

int main()
{
    std::vector<int> numbers{1, 2, 3};
#ifdef MENDED
    numbers.reserve(200);
#endif
    int *volatile first = &numbers[0];
    for (int i = 0; i < 100; i++)
        numbers.push_back(i);
    int *old = first;
    std::printf("%d\n", *old);
    return 0;
}
