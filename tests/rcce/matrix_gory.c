/*
 * matrix_gory.c: puts, gets and a message with flags of the program's own;
 * test_messages.py counts them from outside.
 */
#define GORY
#include "RCCE.h"

int RCCE_APP(int argc, char **argv)
{
    static unsigned char data[128];
    RCCE_FLAG ready, sent;

    RCCE_init(&argc, &argv);
    int me = RCCE_ue(), ues = RCCE_num_ues();
    t_vcharp space = RCCE_malloc(128), combuf = RCCE_malloc(64);
    RCCE_flag_alloc(&ready);
    RCCE_flag_alloc(&sent);
    for (int i = 0; i < 3; i++)
        RCCE_put(space, data, 96, (me + 1) % ues);
    RCCE_barrier(&RCCE_COMM_WORLD);
    RCCE_get(data, space, 128, (me + ues - 1) % ues);
    RCCE_put_char(space, data, me);
    if (me == 0)
        RCCE_send((char *)data, combuf, 64, &ready, &sent, 100, 1);
    if (me == 1)
        RCCE_recv((char *)data, combuf, 64, &ready, &sent, 100, 0);
    return RCCE_finalize();
}
