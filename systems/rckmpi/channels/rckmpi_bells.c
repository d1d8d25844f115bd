/*
 * rckmpi_bells.c: our channel: the improved one, and who wrote into a section
 * rings, that is, changes its byte in the receiver's two lines of bells. A
 * receiver reads these two lines in a round instead of 48 sections. The bell
 * also pushes the section's last line out. With few peers their sections are
 * read at once: the bells would be one line more. Where there are only so few
 * cores, nobody rings either. And what is in a general purpose section is read
 * once: its sum is made while it is taken.
 */
#include "../rckmpi_private.h"

/* Behind the general purpose section. */
#define BELLS_OFFSET 7168u
#define FEW 4

/* What the bells looked like at the last round, how often each was rung, and
 * which cores rang and were not looked at yet. */
static uint32_t heard[RCKMPI_MOST_RANKS / 4];
static uint8_t rung[RCKMPI_MOST_RANKS];
static uint8_t waiting[RCKMPI_MOST_RANKS];
static int pending; /* of these */

static void ring(struct peer *peer)
{
    int core = (int)(peer - rckmpi_peers);

    rckmpi_mpb[core][BELLS_OFFSET + (unsigned)rckmpi_my_core] =
        (char)++rung[core];
    push_wcb();
}

/* The bell at the peer goes on from what the process before has left. */
static int connect_bell(int core)
{
    rckmpi_improved_connect(core);
    if (rckmpi_my_job >= FIRST_STARTED)
        rung[core] =
            (uint8_t)rckmpi_mpb[core][BELLS_OFFSET + (unsigned)rckmpi_my_core];
    return 1;
}

static size_t send_and_ring(struct peer *peer, struct cursor *from,
                            size_t total)
{
    size_t bytes = rckmpi_improved_send(peer, from, total);

    ring(peer);
    return bytes;
}

static void receive_and_ring(struct peer *peer, char *to, size_t bytes)
{
    rckmpi_improved_take(peer, to, bytes);
    if (!peer->arrived)
        ring(peer);
}

static void wake(int core)
{
    pending += !waiting[core];
    waiting[core] = 1;
}

static void hear(void)
{
    if (rckmpi_connected <= FEW)
        return;
    mpb_word *bells = (mpb_word *)(rckmpi_mpb[rckmpi_my_core] + BELLS_OFFSET);
    int words = (rckmpi_following[RCKMPI_MOST_RANKS] + 3) / 4;

    for (int n = 0; n < words; n++) {
        uint32_t now = bells[n], change = now ^ heard[n];
        if (!change)
            continue;
        heard[n] = now;
        for (int byte = 0; byte < 4; byte++)
            if (change >> 8 * byte & 0xff)
                wake(4 * n + byte);
    }
}

static int next(int core)
{
    if (rckmpi_connected <= FEW)
        return rckmpi_following[core];
    while (pending && core < rckmpi_following[RCKMPI_MOST_RANKS]) {
        if (waiting[core] && rckmpi_following[core] == core)
            return core;
        core++;
    }
    return RCKMPI_MOST_RANKS;
}

static unsigned look_and_forget(struct peer *peer)
{
    int core = (int)(peer - rckmpi_peers);

    pending -= waiting[core];
    waiting[core] = 0;
    return rckmpi_improved_look(peer);
}

const struct channel *rckmpi_bells_among(int cores)
{
    static struct channel silent;

    rckmpi_sum_apart = 1;
    if (cores - 1 > FEW)
        return &rckmpi_bells;
    silent = rckmpi_improved;
    silent.name = rckmpi_bells.name;
    return &silent;
}

const struct channel rckmpi_bells = {
    .name = "bells",
    .connect = connect_bell,
    .look = look_and_forget,
    .send = send_and_ring,
    .receive = receive_and_ring,
    .round = hear,
    .next = next,
    .wake = wake,
};
