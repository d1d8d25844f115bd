// An argument is used that the program was not given.
// cc: -O1 -g
// run: -n 1
// expect-exit: 76
// expect-stderr: rck: core 00 \(tile 0,0\): segmentation fault at address 0x00000000
// expect-stderr: main \(missing_argument.c:14\)
// expect-stderr: hint: atoi: look at the pointers and sizes that it is given

#include <stdlib.h>

int main(int argc, char **argv)
{
    (void)argc;
    return atoi(argv[1]);
}
