/*
 * rckmpi_channel.c: the channel is chosen when the job starts.
 */
#include "../rckmpi_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct channel *const known[] = {&rckmpi_original,
                                              &rckmpi_improved, &rckmpi_bells};
#define KNOWN (sizeof known / sizeof *known)

static const struct channel *channel;
size_t rckmpi_section;
struct peer rckmpi_peers[RCKMPI_MOST_RANKS];
uint8_t rckmpi_following[RCKMPI_MOST_RANKS + 1];
int rckmpi_connected;
static uint8_t connected[RCKMPI_MOST_RANKS];

/* Who follows whom in a round. */
static void put_in_order(void)
{
    uint8_t next = RCKMPI_MOST_RANKS;

    rckmpi_following[RCKMPI_MOST_RANKS] = 0;
    for (int core = RCKMPI_MOST_RANKS - 1; core >= 0; core--) {
        if (connected[core]) {
            if (next == RCKMPI_MOST_RANKS)
                rckmpi_following[RCKMPI_MOST_RANKS] = (uint8_t)(core + 1);
            next = (uint8_t)core;
        }
        rckmpi_following[core] = next;
    }
}

int rckmpi_connect(int core)
{
    if (core == rckmpi_my_core || connected[core])
        return 1;
    if (!rckmpi_map(core) || !channel->connect(core))
        return 0;
    rckmpi_wait_map(core);
    connected[core] = 1;
    rckmpi_connected++;
    put_in_order();
    rckmpi_wake(core);
    return 1;
}

void rckmpi_wake(int core)
{
    if (channel->wake)
        channel->wake(core);
}

void rckmpi_open(const char *name)
{
    int rank, size;

    if (!name)
        name = getenv("RCKMPI_CHANNEL");
    if (!name || !*name)
        name = RCKMPI_DEFAULT_CHANNEL;
    for (size_t n = 0; n < KNOWN; n++)
        if (strcmp(known[n]->name, name) == 0)
            channel = known[n];
    if (rckmpi_job(&rank, &size) != 0)
        rckmpi_refuse("the launcher does not say what ranks there are",
                      "start it with rck mpirun -n N or rck run -n N, of at "
                      "most 48 cores");
    if (!channel) {
        char what[100];
        snprintf(what, sizeof what, "unknown channel '%.40s'", name);
        rckmpi_refuse(what, "RCKMPI_CHANNEL is original, improved or bells");
    }
    if (channel == &rckmpi_bells)
        channel = rckmpi_bells_among(rckmpi_universe_size());
    for (int n = 0; n < size; n++)
        if (!rckmpi_map(rckmpi_core(n)))
            rckmpi_refuse("the kernel does not map the message buffers",
                          "this needs /dev/rckmpb");
    rckmpi_wait_open();
    put_in_order();
    for (int n = 0; n < size; n++)
        rckmpi_connect(rckmpi_core(n));
}

const char *rckmpi_channel(void)
{
    return channel ? channel->name : NULL;
}

size_t rckmpi_section_bytes(void)
{
    return rckmpi_section;
}

void rckmpi_round(void)
{
    scc_cl1invmb();
    rckmpi_end_if_aborted();
    if (channel->round)
        channel->round();
}

int rckmpi_next(int core)
{
    return channel->next ? channel->next(core) : rckmpi_following[core];
}

unsigned rckmpi_look(int peer)
{
    unsigned found = channel->look(&rckmpi_peers[peer]);

    if (found & RCKMPI_ARRIVED)
        rckmpi_stir();
    return found;
}

int rckmpi_free(int peer)
{
    return rckmpi_peers[peer].acknowledged == rckmpi_peers[peer].sent;
}

size_t rckmpi_send(int peer, const struct iovec *parts, int count)
{
    struct cursor from = {parts, count, 0};
    size_t total = 0;

    for (int n = 0; n < count; n++)
        total += parts[n].iov_len;
    if (total == 0 || !rckmpi_free(peer))
        return 0;
    size_t sent = channel->send(&rckmpi_peers[peer], &from, total);
    rckmpi_stir();
    rckmpi_rouse(peer);
    return sent;
}

size_t rckmpi_arrived(int peer)
{
    return rckmpi_peers[peer].arrived;
}

void rckmpi_receive(int peer, void *to, size_t bytes)
{
    channel->receive(&rckmpi_peers[peer], to, bytes);
    if (!rckmpi_peers[peer].arrived)
        rckmpi_rouse(peer);
}
