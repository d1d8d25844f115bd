/*
 * ch3_finalize.c: all connections are closed by now; what was sent last stays
 * in the message buffers until it is read.
 */
#include "mpidi_ch3_impl.h"

int MPIDI_CH3_Finalize(void)
{
    for (int core = 0; core < RCKMPI_MOST_RANKS; core++)
        rckmpi_links[core].vc = NULL;
    return MPI_SUCCESS;
}
