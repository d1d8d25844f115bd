// No function catches an exception.
// cc: -O0 -g
// run: -n 1
// expect-exit: 76
// expect-stderr: aborted \(an exception that nobody catches\)
// expect-stderr: at solver::step\(int\) \(exception_not_caught\.cpp:16\)
// expect-stderr: hint: catch it, or prevent it; its type is above

#include <stdexcept>

namespace solver
{
void step(int number)
{
    if (number < 0)
        throw std::runtime_error("negative step");
}
} // namespace solver

int main()
{
#ifdef MENDED
    solver::step(1);
#else
    solver::step(-1);
#endif
    return 0;
}
