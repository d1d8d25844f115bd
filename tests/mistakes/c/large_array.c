// A local array is larger than the stack.
// cc: -O0 -g
// run: -n 1
// expect-exit: 76
// expect-stderr: stack overflow: the stack of 8 MB is full, 2 calls deep
// expect-stderr: at use \(large_array\.c:18\)
// expect-stderr: hint: end the recursion, or put large arrays into static or allocated memory

#ifdef MENDED
enum { COUNT = 1000 };
#else
enum { COUNT = 3000000 };
#endif

static int use(int at)
{
    volatile int numbers[COUNT];
    numbers[at] = 0;
    return numbers[at];
}

int main(void)
{
    return use(0);
}
