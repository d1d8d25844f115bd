/*
 * rckmpi_channel.c: the channel is chosen when the job starts.
 */
#include "rckmpi_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct channel *const known[] = {&rckmpi_original,
                                              &rckmpi_improved, &rckmpi_bells};
#define KNOWN (sizeof known / sizeof *known)

static const struct channel *channel;
size_t rckmpi_section;
struct peer rckmpi_peers[RCKMPI_MOST_RANKS];

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
    if (!rckmpi_map())
        rckmpi_refuse("the kernel does not map the message buffers",
                      "this needs /dev/rckmpb");
    channel->open();
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

int rckmpi_next(int rank)
{
    return channel->next ? channel->next(rank) : rank;
}

unsigned rckmpi_look(int peer)
{
    return channel->look(&rckmpi_peers[peer]);
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
    return channel->send(&rckmpi_peers[peer], &from, total);
}

size_t rckmpi_arrived(int peer)
{
    return rckmpi_peers[peer].arrived;
}

void rckmpi_receive(int peer, void *to, size_t bytes)
{
    channel->receive(&rckmpi_peers[peer], to, bytes);
}
