/*
 * UE 0 sends five messages to UE 1, three of them in a region.
 */
#include "RCCE.h"
#include "rck_mark.h"

static void round_(void)
{
    static char buffer[64];

    if (RCCE_ue() == 0)
        RCCE_send(buffer, sizeof buffer, 1);
    else
        RCCE_recv(buffer, sizeof buffer, 0);
}

int main(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    round_();
    rck_region_begin("rounds");
    round_();
    rck_region_end("rounds");
    rck_region_begin("rounds");
    round_();
    round_();
    rck_region_end("rounds");
    round_();
    RCCE_finalize();
    return 0;
}
