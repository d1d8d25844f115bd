// Memory that is full is said once, by the mmap that fails; a program that
// looks at malloc's null pointer goes on.
// run: -n 1 --tag none
// expect-stdout:
// some blocks, then null, 12
// a small one after it: 1
// expect-stderr: ^rockcreek: core 0: mmap of 4\d{4} KB fails: of the \d+ MB that this core has \d+ MB are promised already
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int blocks = 0, refused = 0;

    while (malloc(40u << 20))
        blocks++;
    refused = errno;
    printf("%s blocks, then null, %d\n", blocks > 2 ? "some" : "few", refused);
    printf("a small one after it: %d\n", malloc(1000) != NULL);
    return malloc(40u << 20) != NULL;
}
