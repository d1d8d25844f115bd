/* The last UE stores a sum in each of three rounds, between barriers of all UEs. */
#include <stdio.h>
#include <RCCE.h>

volatile int counter;

__attribute__((noinline)) static int add(int number)
{
    int sum = 0;

    for (int n = 0; n <= number; n++)
        sum += n;
    counter = sum;
    return sum;
}

int main(int argc, char **argv)
{
    int total = 0;

    RCCE_init(&argc, &argv);
    for (int round = 1; round <= 3; round++) {
        if (RCCE_ue() == RCCE_num_ues() - 1)
            total += add(round);
        RCCE_barrier(&RCCE_COMM_WORLD);
    }
    if (RCCE_ue() == RCCE_num_ues() - 1)
        printf("total %d\n", total);
    RCCE_finalize();
    return 0;
}
