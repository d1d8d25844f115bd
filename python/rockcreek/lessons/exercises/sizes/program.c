/* UE 0 sends a table to all others, who add it up. */
#include <RCCE.h>
#include <stdio.h>

enum { ROWS = 10 };

int main(int argc, char **argv)
{
    double table[ROWS] = {0}, sum = 0;

    RCCE_init(&argc, &argv);
    if (RCCE_ue() == 0) {
        for (int n = 0; n < ROWS; n++)
            table[n] = n + 1;
        for (int to = 1; to < RCCE_num_ues(); to++)
            RCCE_send((char *)table, sizeof table, to);
    } else {
        RCCE_recv((char *)table, ROWS * sizeof(float), 0);
    }
    for (int n = 0; n < ROWS; n++)
        sum += table[n];
    printf("UE %d: %.0f\n", RCCE_ue(), sum);
    RCCE_finalize();
    return 0;
}
