/*
 * floats.c: the x87. Three processes add up series at the same time; each
 * gets what it would get alone.
 */
#include "user.h"

#define TERMS 60000

/* The sum of 1/(k n + 1), in millionths. */
static int series(int k)
{
    double sum = 0;
    int n;

    for (n = 0; n < TERMS; n++)
        sum += 1.0 / (k * n + 1);
    return (int)(sum * 1e6);
}

int main(const char *argument)
{
    int k, alone[4], status, same = 0;

    (void)argument;
    for (k = 1; k < 4; k++)
        alone[k] = series(k);
    for (k = 1; k < 4; k++)
        if (fork() == 0)
            exit(series(k) == alone[k]);
    for (k = 1; k < 4; k++) {
        wait(&status);
        same += status;
    }
    print("floats: %d.%d is the first sum\n", alone[1] / 1000000,
          alone[1] % 1000000);
    print("floats: %d of 3 are the same side by side\n", same);
    return 0;
}
