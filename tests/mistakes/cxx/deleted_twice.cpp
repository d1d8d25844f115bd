// An object is deleted twice.
// cc: -O1 -g
// run: -n 1 --check memory
// expect-exit: 76
// expect-stderr: double-free: core 0 freed a block of 12 bytes that was free already
// expect-stderr: hint: free the block once: in deleted_twice\.cpp:18 or in deleted_twice\.cpp:20

#include <cstdio>

struct point {
    int x, y, z;
};

int main()
{
    point *volatile one = new point{1, 2, 3};
    std::printf("%d\n", one->x);
    delete one;
#ifndef MENDED
    delete one;
#endif
    return 0;
}
