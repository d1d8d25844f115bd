/* A counter in a message buffer: each core adds its number to it, under a lock. */
#include <RCCE.h>
#include <stdio.h>
#include <string.h>

enum { LOCK = 0, MOST = 100 };

/* Adds to the counter of UE 0, unless it would grow above MOST. */
static int add(t_vcharp counter, int number)
{
    char line[32];
    int sum;

    RCCE_acquire_lock(LOCK);
    RCCE_get((t_vcharp)line, counter, sizeof line, 0);
    memcpy(&sum, line, sizeof sum);
    sum += number;
    if (sum > MOST)
        return 0;
    memcpy(line, &sum, sizeof sum);
    RCCE_put(counter, (t_vcharp)line, sizeof line, 0);
    RCCE_release_lock(LOCK);
    return 1;
}

int main(int argc, char **argv)
{
    char line[32] = "";
    int sum, added = 0;

    RCCE_init(&argc, &argv);
    t_vcharp counter = RCCE_malloc(sizeof line);
    if (RCCE_ue() == 0)
        RCCE_put(counter, (t_vcharp)line, sizeof line, 0);
    RCCE_barrier(&RCCE_COMM_WORLD);
    for (int n = 0; n < 20; n++)
        added += add(counter, 2);
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_get((t_vcharp)line, counter, sizeof line, 0);
    memcpy(&sum, line, sizeof sum);
    if (RCCE_ue() == 0)
        printf("the counter is %d\n", sum);
    RCCE_finalize();
    return 0;
}
