/*
 * relay.c: the two relays of a tile.
 *
 * In the original a relay is a process beside the command: one reads a FIFO
 * and sends RCCE messages, one receives messages and writes a FIFO. RCCE
 * polls, so a relay that waits for its partner takes its full share of the
 * core's time. Here a relay is a function that polls for one quantum and
 * returns: who waits for a message costs the command the same share.
 */
#include "RCCE.h"
#include "iRCCE.h"
#include "tile.h"

#include <string.h>

/* Always sent whole; `count` 0: the stream has ended. */
struct chunk {
    unsigned count;
    char bytes[CHUNK - sizeof(unsigned)];
};

struct pipe lino_relay_in, lino_relay_out;
static struct chunk incoming, outgoing;
static iRCCE_SEND_REQUEST sending;
static iRCCE_RECV_REQUEST receiving;
static int source = NO_TILE, target = NO_TILE;
static bool in_flight, in_hand, said_end;
static double quantum;

double lino_relay_now(void)
{
    return RCCE_wtime();
}

void lino_relay_set_quantum(long microseconds)
{
    quantum = (double)microseconds / 1e6;
}

bool lino_relay_quantum_over(double since)
{
    return lino_relay_now() - since >= quantum;
}

static void expect(void)
{
    in_hand = iRCCE_irecv((char *)&incoming, CHUNK, source, &receiving) ==
              iRCCE_SUCCESS;
}

void lino_relay_open(int from, int to)
{
    source = from;
    target = to;
    lino_relay_in.closed = source == NO_TILE;
    said_end = target == NO_TILE;
    if (source != NO_TILE)
        expect();
}

bool lino_relay_receiving(void)
{
    return !lino_relay_in.closed;
}

bool lino_relay_sending(void)
{
    return in_flight || (target != NO_TILE && !said_end &&
                         (lino_relay_out.count || lino_relay_out.closed));
}

/* The chunk in hand goes into the pipe. False: there is no room. */
static bool pass_on(void)
{
    if (lino_relay_in.count + incoming.count > FIFO)
        return false;
    lino_pipe_put(&lino_relay_in, incoming.bytes, incoming.count);
    in_hand = false;
    if (incoming.count)
        expect();
    else
        lino_relay_in.closed = true;
    return true;
}

void lino_relay_receive(bool hungry)
{
    double start = lino_relay_now();

    while (!lino_relay_in.closed) {
        int done = 0;

        if (!in_hand) {
            iRCCE_irecv_test(&receiving, &done);
            in_hand = done;
        }
        if (in_hand && (!pass_on() || hungry))
            return;
        if (lino_relay_quantum_over(start))
            return;
    }
}

/* The next chunk, if there are bytes or an end to report. */
static bool begin(void)
{
    outgoing.count = (unsigned)lino_pipe_take(&lino_relay_out, outgoing.bytes,
                                              sizeof outgoing.bytes);
    if (!outgoing.count && (!lino_relay_out.closed || said_end))
        return false;
    said_end = !outgoing.count;
    in_flight = iRCCE_isend((char *)&outgoing, CHUNK, target, &sending) !=
                iRCCE_SUCCESS;
    return true;
}

void lino_relay_send(void)
{
    double start = lino_relay_now();

    if (target == NO_TILE)
        return;
    do {
        int done = 0;

        if (in_flight) {
            iRCCE_isend_test(&sending, &done);
            in_flight = !done;
        }
        if (!in_flight && !begin())
            return;
    } while (!lino_relay_quantum_over(start));
}
