/*
 * rays_rcce.c: the picture of rays.c by messages of RCCE. Of n UEs, UE u draws
 * the bands u, u + n, u + 2n ... and sends them to UE 0.
 *
 *     rck run -n 48 --share DIR rays_rcce      writes DIR/rays.ppm
 */
#include "RCCE.h"
#include "rays.h"

int main(int argc, char **argv)
{
    static unsigned char pixels[WIDTH * HEIGHT * 3];
    size_t bytes = ROWS * WIDTH * 3;

    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), all = RCCE_num_ues();
    RCCE_barrier(&RCCE_COMM_WORLD);
    double start = RCCE_wtime();
    for (int n = me; n < BANDS; n += all)
        for (int row = 0; row < ROWS; row++)
            draw_row(n * ROWS + row, pixels + n * bytes + row * WIDTH * 3);
    for (int n = 0; n < BANDS; n++) {
        char *band = (char *)pixels + n * bytes;

        if (n % all == 0)
            continue;
        if (me == 0)
            RCCE_recv(band, bytes, n % all);
        else if (n % all == me)
            RCCE_send(band, bytes, 0);
    }
    if (me == 0) {
        printf("%d UEs, %.1f ms\n", all, (RCCE_wtime() - start) * 1e3);
        save("rays.ppm", pixels);
    }
    RCCE_finalize();
    return 0;
}
