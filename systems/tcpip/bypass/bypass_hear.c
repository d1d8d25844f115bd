/*
 * bypass_hear.c: what connections hear from their peers.
 */
#include "bypass.h"

#include <errno.h>

static struct connection *listener_at(unsigned port)
{
    for (int n = 0; n < MOST_CONNECTIONS; n++) {
        struct connection *connection = &tcpip_bypass_connections[n];

        if (connection->used && connection->listening && !connection->closed &&
            connection->own_port == port)
            return connection;
    }
    return NULL;
}

static void hear_open(int rank, const struct opening *opening)
{
    static uint32_t turn;
    struct connection *listener = listener_at(opening->peer_port);
    struct connection *connection = NULL;

    if (listener && listener->waiting < listener->backlog)
        connection = tcpip_bypass_new();
    if (!connection) {
        tcpip_bypass_refuse(rank, opening->from);
        return;
    }
    listener->waiting++;
    connection->listener = listener;
    connection->turn = turn++;
    connection->rank = rank;
    connection->other = opening->from;
    connection->own_port = opening->peer_port;
    connection->peer_port = opening->own_port;
    connection->opened = 1;
    tcpip_bypass_owe(connection, OPENED);
}

static void hear_opened(struct connection *connection, unsigned from)
{
    connection->other = from;
    connection->opening = 0;
    connection->opened = 1;
    if (connection->closed)
        tcpip_bypass_owe(connection, RESET);
}

static void lose(struct connection *connection, int error)
{
    /* What it had closed before it went is the end, and no error. */
    if (!connection->error && !connection->ended)
        connection->error = error;
    connection->gone = connection->ended = 1;
    connection->opening = connection->blocked = 0;
    tcpip_bypass_pay(connection);
}

/* To where it is waited for, the rest into the queue. */
static void hear_data(struct connection *connection,
                      const volatile uint8_t *data, size_t bytes)
{
    size_t now = connection->room < bytes ? connection->room : bytes;

    if (connection->closed)
        return;
    scc_get(connection->into, data, now);
    connection->into += now;
    connection->room -= now;
    connection->have += now;
    for (data += now, bytes -= now; bytes > 0; data += now, bytes -= now) {
        uint32_t at = connection->put % WINDOW;

        now = bytes < WINDOW - at ? bytes : WINDOW - at;
        scc_get(connection->queue + at, data, now);
        connection->put += now;
        connection->room = 0; /* what comes next comes behind it */
    }
}

static void hear_word(struct connection *connection, const uint32_t *words)
{
    switch (((const struct head *)words)->word) {
    case OPENED:
        hear_opened(connection, ((const struct opening *)words)->from);
        break;
    case CREDITED:
        connection->under_way -= ((const struct crediting *)words)->bytes;
        break;
    case SHUT:
        connection->ended = 1;
        break;
    case CLOSED:
        lose(connection, 0);
        break;
    case RESET:
        lose(connection, ECONNRESET);
        break;
    case REFUSED:
        lose(connection, ECONNREFUSED);
        break;
    }
}

static void hear(const struct record *record)
{
    uint32_t words[sizeof(struct opening) / 4];
    const struct head *head = (const struct head *)words;
    size_t bytes = record->bytes < sizeof words ? record->bytes : sizeof words;
    struct connection *connection;

    scc_get(words, record->data, bytes);
    if (head->word == OPEN) {
        hear_open(record->rank, (const struct opening *)words);
        return;
    }
    connection = tcpip_bypass_numbered(head->to, record->rank);
    if (!connection)
        return;
    if (head->word == DATA)
        hear_data(connection, record->data + sizeof *head,
                  record->bytes - sizeof *head);
    else
        hear_word(connection, words);
}

static void ended(int rank)
{
    for (int n = 0; n < MOST_CONNECTIONS; n++) {
        struct connection *connection = &tcpip_bypass_connections[n];

        if (connection->used && connection->rank == rank &&
            rank != tcpip_link_my_rank && !connection->gone)
            lose(connection, connection->opened ? ECONNRESET : ECONNREFUSED);
    }
}

static void room(void)
{
    tcpip_bypass_pay_all();
    for (int n = 0; n < MOST_CONNECTIONS; n++) {
        struct connection *connection = &tcpip_bypass_connections[n];

        if (connection->used && connection->blocked)
            connection->blocked = !tcpip_link_room(connection->rank);
    }
}

static void nothing(void)
{
}

static uint64_t never(void)
{
    return SCC_NEVER;
}

void tcpip_bypass_start(void)
{
    static const struct listener listener = {
        .record = hear,
        .ended = ended,
        .room = room,
        .run = nothing,
        .due = never,
    };

    tcpip_link_listen(KIND_BYPASS, &listener);
}
