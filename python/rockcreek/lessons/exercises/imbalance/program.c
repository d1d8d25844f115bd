/* Primes below LIMIT: each core looks at a block of the numbers. */
#include <RCCE.h>
#include <RCCE_lib.h>
#include <stdio.h>

enum { LIMIT = 6000 };

static int is_prime(int number)
{
    for (int by = 2; by * by <= number; by++)
        if (number % by == 0)
            return 0;
    return number > 1;
}

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), all = RCCE_num_ues(), found = 0, sum = 0;

    /* The first core has few numbers, the last one most: 1, 2, 3 ... parts. */
    int parts = all * (all + 1) / 2;
    int first = LIMIT / parts * (me * (me + 1) / 2);
    int last = LIMIT / parts * ((me + 1) * (me + 2) / 2);
    for (int n = first; n < (me == all - 1 ? LIMIT : last); n++)
        found += is_prime(n);
    RCCE_reduce((char *)&found, (char *)&sum, 1, RCCE_INT, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    if (me == 0)
        printf("%d primes below %d\n", sum, LIMIT);
    RCCE_finalize();
    return 0;
}
