// The general purpose section serves several receivers at once; when it is
// full, messages carry 48 bytes, and what was read frees it again.
// cc: -O2 -lrckmpi -lrcce
// run: -n 4 --tag none
// expect-stdout:
// to 1: 2096 of 2096
// to 2: 2096 of 2096
// to 3: 48 of 2096
// to 3 again: 2048 of 2048
#include <stdio.h>
#include <string.h>

#include "rckmpi.h"

#define BYTES (48 + 16 * 128)
static char packet[BYTES], got[BYTES];
static int rank, size;

/* Looks at all peers until this one has something to take, or may be sent
 * to. */
static void wait_for(int peer, unsigned what)
{
    unsigned found;

    do {
        rckmpi_round();
        found = rckmpi_look(peer);
    } while (!(found & what));
}

static size_t send_to(int peer, size_t from)
{
    struct iovec part = {packet + from, BYTES - from};

    return rckmpi_send(peer, &part, 1);
}

static int receive(void)
{
    for (size_t done = 0; done < BYTES;) {
        wait_for(0, RCKMPI_ARRIVED);
        size_t now = rckmpi_arrived(0);
        rckmpi_receive(0, got + done, now);
        done += now;
    }
    return memcmp(got, packet, BYTES) != 0;
}

int main(void)
{
    rckmpi_open("improved");
    rckmpi_job(&rank, &size);
    for (int n = 0; n < BYTES; n++)
        packet[n] = (char)(n * 11 + n / 256);
    if (rank > 0)
        return receive();
    size_t sent[4];
    for (int peer = 1; peer < 4; peer++) {
        sent[peer] = send_to(peer, 0);
        printf("to %d: %d of %d\n", peer, (int)sent[peer], BYTES);
    }
    for (int peer = 1; peer < 4; peer++)
        wait_for(peer, RCKMPI_FREE);
    size_t rest = send_to(3, sent[3]);
    printf("to 3 again: %d of %d\n", (int)rest, BYTES - (int)sent[3]);
    wait_for(3, RCKMPI_FREE);
    return 0;
}
