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
    int me = RCCE_ue(), all = RCCE_num_ues(), found = me == 0, sum = 0;

    /* 2 is counted. Large numbers take longer: each core has some. */
    for (int n = 1 + 2 * me; n < LIMIT; n += 2 * all)
        found += is_prime(n);
    RCCE_reduce((char *)&found, (char *)&sum, 1, RCCE_INT, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    if (me == 0)
        printf("%d primes below %d\n", sum, LIMIT);
    RCCE_finalize();
    return 0;
}
