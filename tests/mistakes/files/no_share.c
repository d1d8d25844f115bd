// The program opens a file, and the run has no `--share`.
// cc: -O0 -g
// run: -n 1
// expect-exit: 1
// expect-stderr: no numbers\.txt: programs see no file of the host unless a folder is shared \(rck run --share DIR\)

#include <stdio.h>

int main(void)
{
    FILE *file = fopen("numbers.txt", "r");
    if (!file) {
        perror("numbers.txt");
        return 1;
    }
    return 0;
}
