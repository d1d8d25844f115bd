/*
 * program.c: what the UEs of the model do, a small case each; part of each
 * UE's copy of the library. Returns how much was wrong.
 */
#include "RCCE_collectives.h"
#include "RCCE_lib.h"
#include "iRCCE.h"

#include <string.h>

#define SIZE 150 /* three chunks or five pieces */

static char out[2][SIZE], in[2][SIZE];

static void fill(char *data, int seed)
{
    for (int i = 0; i < SIZE; i++)
        data[i] = (char)(i * 5 + seed);
}

static int wrong(const char *data, int size, int seed)
{
    int count = 0;
    for (int i = 0; i < size; i++)
        count += data[i] != (char)(i * 5 + seed);
    return count;
}

/* Two messages of RCCE, the first of the wrong size. */
static int synchronous(int me)
{
    fill(out[0], 3);
    if (me == 0)
        return (RCCE_send(out[0], 100, 1) != RCCE_ERROR_MESSAGE_LENGTH) +
               RCCE_send(out[0], SIZE, 1);
    int error = RCCE_recv(in[0], 99, 0) != RCCE_ERROR_MESSAGE_LENGTH;
    return error + RCCE_recv(in[0], SIZE, 0) + wrong(in[0], SIZE, 3);
}

/* Both send two messages, in chunks and in pieces, and receive two. */
static int crossing(int me)
{
    iRCCE_SEND_REQUEST send[2];
    iRCCE_RECV_REQUEST recv[2];
    int other = 1 - me;
    fill(out[0], me);
    fill(out[1], me + 9);
    iRCCE_isend(out[0], SIZE, other, &send[0]);
    iRCCE_irecv(in[0], SIZE, other, &recv[0]);
    iRCCE_issend(out[1], 70, other, &send[1]);
    iRCCE_irecv(in[1], 70, other, &recv[1]);
    return iRCCE_isend_wait(NULL) + iRCCE_irecv_wait(NULL) +
           wrong(in[0], SIZE, other) + wrong(in[1], 70, other + 9);
}

/* Pieces into RCCE_recv, chunks into iRCCE_srecv, a wrong size between. */
static int pieces(int me)
{
    fill(out[0], 1);
    if (me == 0)
        return iRCCE_ssend(out[0], SIZE, 1) +
               (iRCCE_ssend(out[0], 90, 1) != RCCE_ERROR_MESSAGE_LENGTH) +
               RCCE_send(out[0], SIZE, 1);
    int error = RCCE_recv(in[0], SIZE, 0) + wrong(in[0], SIZE, 1);
    error += RCCE_recv(in[1], 91, 0) != RCCE_ERROR_MESSAGE_LENGTH;
    memset(in[0], 0, SIZE);
    return error + iRCCE_srecv(in[0], SIZE, 0) + wrong(in[0], SIZE, 1);
}

/* Two senders, a receiver that takes whoever comes. */
static int any(int me)
{
    iRCCE_RECV_REQUEST recv[2];
    fill(out[0], me);
    if (me > 0)
        return RCCE_send(out[0], 60, 0);
    iRCCE_irecv(in[0], iRCCE_ANY_LENGTH, iRCCE_ANY_SOURCE, &recv[0]);
    iRCCE_irecv(in[1], 60, iRCCE_ANY_SOURCE, &recv[1]);
    int error = iRCCE_irecv_wait(&recv[0]) + iRCCE_irecv_wait(&recv[1]);
    return error + wrong(in[0], 60, recv[0].source) +
           wrong(in[1], 60, recv[1].source) +
           (recv[0].source + recv[1].source != 3);
}

/* The phase that each UE is in; nobody may be a barrier behind. */
extern int model_phase[];

static int barriers(int me, RCCE_COMM *world, int best)
{
    struct rcce_group group = {world->size, me, world->member};
    int error = 0;
    for (int i = 1; i <= 3; i++) {
        model_phase[me] = i;
        error += best ? rcce_coll_barrier(&group) : RCCE_barrier(world);
        for (int ue = 0; ue < world->size; ue++)
            error += model_phase[ue] < i;
    }
    return error;
}

int model_program(int number, int me, RCCE_COMM *world);
int model_program(int number, int me, RCCE_COMM *world)
{
    iRCCE_init();
    switch (number) {
    case 0:
        return synchronous(me);
    case 1:
        return crossing(me);
    case 2:
        return pieces(me);
    case 3:
        return any(me);
    default:
        return barriers(me, world, number == 5);
    }
}
