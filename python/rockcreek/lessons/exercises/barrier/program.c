/* Each core halves its number until it is below 1; all do so in step. */
#include <RCCE.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), rounds = 0;
    double mine = 10.0 * (me + 1) * (me + 1);

    while (mine >= 1) {
        mine /= 2;
        rounds++;
        RCCE_barrier(&RCCE_COMM_WORLD);
    }
    printf("UE %d: %d\n", me, rounds);
    RCCE_finalize();
    return 0;
}
