/* Each core passes its number to the right, until each has seen all numbers. */
#include <RCCE.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), all = RCCE_num_ues();
    int right = (me + 1) % all, left = (me + all - 1) % all;
    int mine = me, sum = me;

    for (int round = 1; round < all; round++) {
        int got;
        RCCE_send((char *)&mine, sizeof mine, right);
        RCCE_recv((char *)&got, sizeof got, left);
        sum += got;
        mine = got;
    }
    printf("UE %d: %d\n", me, sum);
    RCCE_finalize();
    return 0;
}
