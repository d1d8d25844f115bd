// Two functions call each other without an end.
// cc: -O0 -g
// run: -n 1
// expect-exit: 76
// expect-stderr: core 00 \(tile 0,0\): stack overflow: the stack of 8 MB is full, [12],\d\d\d calls deep
// expect-stderr: these 2 calls \d,?\d\d\d? times more
// expect-stderr: hint: end the recursion, or put large arrays into static or allocated memory

static int odd(int n);

static int even(int n)
{
    volatile char pad[6000];
    pad[0] = (char)n;
    return n == 0 ? 1 : odd(n - 1) + pad[0] * 0;
}

static int odd(int n)
{
    volatile char pad[6000];
    pad[0] = (char)n;
    return n == 0 ? 0 : even(n - 1) + pad[0] * 0;
}

int main(void)
{
#ifdef MENDED
    return even(9);
#else
    return even(-1);
#endif
}
