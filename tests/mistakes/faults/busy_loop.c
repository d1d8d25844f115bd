// A loop without an end: no core waits for anybody.
// cc: -O1 -g
// run: -n 1 --timeout 4
// expect-exit: 75
// expect-stderr: core 00 \(tile 0,0\) in main \(busy_loop.c:\d+\)
// expect-stderr: hint: look for a loop without an end where a core computes, or give it more time

int main(void)
{
    for (volatile int n = 0; n >= 0; n++) {
#ifdef MENDED
        if (n == 1000)
            break;
#else
        if (n == 1000)
            n = 0;
#endif
    }
    return 0;
}
