// The condition of an `assert` is false.
// cc: -O0 -g
// run: -n 1
// expect-exit: 76
// expect-stderr: aborted \(a failed assertion\)
// expect-stderr: at main \(failed_assertion\.c:16\)
// expect-stderr: hint: the assertion is above; it does not hold at the line named first

#include <assert.h>
int main(void)
{
    int number = 5;
#ifdef MENDED
    number = 4;
#endif
    assert(number % 2 == 0);
    return 0;
}
