/* Every core says hello. */
#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    printf("Hello from UE %d of %d\n", RCCE_ue(), RCCE_num_ues());
    RCCE_finalize();
    return 0;
}
