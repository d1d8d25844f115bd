// A variable gets no value before it is compared.
// cc: -O0 -g
// run: -n 1 --check unwritten
// expect-exit: 0
// expect-stderr: unwritten: core 0 took a branch by a value that was never written
// expect-stderr: core 00 in largest \(maximum_of_nothing\.c:18\)
// expect-stderr: hint: write the variable on the stack of maximum_of_nothing\.c:12 before maximum_of_nothing\.c:18 uses it

#include <unistd.h>

static int largest(const int *all, int n)
{
    int most;
#ifdef MENDED
    most = all[0];
#endif
    for (int i = 0; i < n; i++)
        if (all[i] > most)
            most = all[i];
    return most;
}

int main(void)
{
    int all[3] = {-5, -2, -9};
    return write(1, "\n", largest(all, 3) == -2) < 0;
}
