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

struct pipe relay_in, relay_out;
static struct chunk incoming, outgoing;
static iRCCE_SEND_REQUEST sending;
static iRCCE_RECV_REQUEST receiving;
static int source = NO_TILE, target = NO_TILE;
static bool in_flight, in_hand, said_end;
static double quantum;

double relay_now(void)
{
    return RCCE_wtime();
}

void relay_set_quantum(long microseconds)
{
    quantum = (double)microseconds / 1e6;
}

bool relay_quantum_over(double since)
{
    return relay_now() - since >= quantum;
}

static void expect(void)
{
    in_hand = iRCCE_irecv((char *)&incoming, CHUNK, source, &receiving) ==
              iRCCE_SUCCESS;
}

void relay_open(int from, int to)
{
    source = from;
    target = to;
    relay_in.closed = source == NO_TILE;
    said_end = target == NO_TILE;
    if (source != NO_TILE)
        expect();
}

bool relay_receiving(void)
{
    return !relay_in.closed;
}

bool relay_sending(void)
{
    return in_flight || (target != NO_TILE && !said_end &&
                         (relay_out.count || relay_out.closed));
}

/* The chunk in hand goes into the pipe. False: there is no room. */
static bool pass_on(void)
{
    if (relay_in.count + incoming.count > FIFO)
        return false;
    pipe_put(&relay_in, incoming.bytes, incoming.count);
    in_hand = false;
    if (incoming.count)
        expect();
    else
        relay_in.closed = true;
    return true;
}

void relay_receive(bool hungry)
{
    double start = relay_now();

    while (!relay_in.closed) {
        int done = 0;

        if (!in_hand) {
            iRCCE_irecv_test(&receiving, &done);
            in_hand = done;
        }
        if (in_hand && (!pass_on() || hungry))
            return;
        if (relay_quantum_over(start))
            return;
    }
}

/* The next chunk, if there are bytes or an end to tell. */
static bool begin(void)
{
    outgoing.count =
        (unsigned)pipe_take(&relay_out, outgoing.bytes, sizeof outgoing.bytes);
    if (!outgoing.count && (!relay_out.closed || said_end))
        return false;
    said_end = !outgoing.count;
    in_flight = iRCCE_isend((char *)&outgoing, CHUNK, target, &sending) !=
                iRCCE_SUCCESS;
    return true;
}

void relay_send(void)
{
    double start = relay_now();

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
    } while (!relay_quantum_over(start));
}
