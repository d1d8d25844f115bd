// A function calls itself without an end.
// cc: -O0 -g
// run: -n 1
// expect-exit: 76
// expect-stderr: core 00 \(tile 0,0\): stack overflow: the stack of 8 MB is full, [34],\d\d\d calls deep
// expect-stderr: deep \(stack_overflow.c:14\), [34],\d\d\d times more
// expect-stderr: called from main \(stack_overflow.c:23\)
// expect-stderr: hint: end the recursion, or put large arrays into static or allocated memory

static int deep(int n)
{
    volatile char pad[2000];
    pad[0] = (char)n;
    return n == 0 ? 0 : deep(n - 1) + pad[0] * 0;
}

int main(void)
{
#ifdef MENDED
    return deep(1000);
#else
    /* The count never comes to 0. */
    return deep(-1);
#endif
}
