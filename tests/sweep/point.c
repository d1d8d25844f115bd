/* Computes by its argument; `3` fails. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int number = argc > 1 ? atoi(argv[1]) : 0;

    printf("%d\n", number * number);
    return number == 3 ? 5 : 0;
}
