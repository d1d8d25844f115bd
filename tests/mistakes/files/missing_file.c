// A file that is not there, and nobody looks.
// cc: -O0 -g
// run: -n 1
// share: yes
// expect-exit: 76
// expect-stderr: called from main \(missing_file\.c:19\)
// expect-stderr: hint: fscanf: is its file open\? fopen returns NULL where it fails

#include <stdio.h>

int main(void)
{
    FILE *file = fopen("numbers.txt", "r");
    int number = 0;
#ifdef MENDED
    if (!file)
        return 0;
#endif
    fscanf(file, "%d", &number);
    return number;
}
