// A file is written in a folder that is not there, and fopen's result is used.
// cc: -O1 -g
// run: -n 1
// expect-exit: 76
// expect-stderr: rck: core 00 \(tile 0,0\): segmentation fault at address 0x[0-9a-f]+
// expect-stderr: main \(folder_missing.c:14\)
// expect-stderr: hint: fprintf: is its file open\? fopen returns NULL where it fails

#include <stdio.h>

int main(void)
{
    FILE *file = fopen("/none/out.txt", "w");
    fprintf(file, "%d lines\n", 3);
    return fclose(file);
}
