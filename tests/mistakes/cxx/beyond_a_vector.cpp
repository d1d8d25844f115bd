// The index of vector::at is beyond the end.
// cc: -O0 -g
// run: -n 1
// expect-exit: 76
// expect-stderr: of type std::out_of_range
// expect-stderr: aborted \(an exception that nobody catches\)
// expect-stderr: at main \(beyond_a_vector\.cpp:17\)
// expect-stderr: hint: catch it, or prevent it; its type is above

#include <vector>
int main()
{
    std::vector<int> numbers(3);
#ifdef MENDED
    return numbers.at(2);
#else
    return numbers.at(3);
#endif
}
