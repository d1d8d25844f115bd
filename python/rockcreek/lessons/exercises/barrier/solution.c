/* Each core halves its number until it is below 1; all do so in step. */
#include <RCCE.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), rounds = 0, at_work, most;
    double mine = 10.0 * (me + 1) * (me + 1);

    do {
        at_work = mine >= 1;
        if (at_work) {
            mine /= 2;
            rounds++;
        }
        RCCE_allreduce((char *)&at_work, (char *)&most, 1, RCCE_INT, RCCE_MAX,
                       RCCE_COMM_WORLD);
    } while (most);
    printf("UE %d: %d\n", me, rounds);
    RCCE_finalize();
    return 0;
}
