/*
 * bypass_tell.c: connections by number, and what they send their peers.
 */
#include "bypass.h"

#include <errno.h>
#include <stdlib.h>

#define NUMBER_BITS 8

struct connection tcpip_bypass_connections[MOST_CONNECTIONS];
/* Connections that were asked for and are still to be refused. */
static struct {
    int rank;
    unsigned number;
} refused[MOST_CONNECTIONS];
static int refusals;

/* Numbers come again with another generation: late records find nobody. */
static unsigned number_of(const struct connection *connection)
{
    return (unsigned)(connection - tcpip_bypass_connections) |
           ((unsigned)connection->generation << NUMBER_BITS & 0xffff);
}

struct connection *tcpip_bypass_numbered(unsigned number, int rank)
{
    struct connection *connection =
        &tcpip_bypass_connections[number % MOST_CONNECTIONS];

    return connection->used && connection->rank == rank &&
                   number_of(connection) == number
               ? connection
               : NULL;
}

struct connection *tcpip_bypass_new(void)
{
    for (int n = 0; n < MOST_CONNECTIONS; n++) {
        struct connection *connection = &tcpip_bypass_connections[n];
        struct connection fresh = {
            .used = 1,
            .generation = connection->generation + 1,
            .queue = connection->queue,
            .rank = tcpip_link_my_rank,
        };

        if (connection->used)
            continue;
        if (!fresh.queue)
            fresh.queue = malloc(WINDOW);
        if (!fresh.queue)
            return NULL;
        *connection = fresh;
        return connection;
    }
    return NULL;
}

void tcpip_bypass_settle(struct connection *connection)
{
    if (connection->closed && !connection->owes && !connection->opening)
        connection->used = 0;
}

static int put(int rank, unsigned to, enum word word, void *whole, size_t bytes)
{
    struct iovec part = {whole, bytes};

    *(struct head *)whole = (struct head){(uint16_t)to, (uint16_t)word};
    return tcpip_link_put(rank, KIND_BYPASS, &part, 1);
}

static int tell(struct connection *connection, enum word word)
{
    struct opening opening = {
        .from = (uint16_t)number_of(connection),
        .own_port = connection->own_port,
        .peer_port = connection->peer_port,
    };
    struct crediting crediting = {.bytes = connection->received};
    int error;

    if (word != CREDITED)
        return put(connection->rank, connection->other, word, &opening,
                   sizeof opening);
    error = put(connection->rank, connection->other, word, &crediting,
                sizeof crediting);
    if (!error)
        connection->received = 0;
    return error;
}

void tcpip_bypass_pay(struct connection *connection)
{
    for (enum word word = OPEN; word < WORDS; word++) {
        if (!(connection->owes >> word & 1))
            continue;
        if (!connection->gone && tell(connection, word) == -EAGAIN)
            return;
        connection->owes &= ~(1u << word);
    }
    tcpip_bypass_settle(connection);
}

void tcpip_bypass_owe(struct connection *connection, enum word word)
{
    connection->owes |= 1u << word;
    tcpip_bypass_pay(connection);
}

static void refuse_all(void)
{
    struct opening opening = {.unused = 0};
    int left = 0;

    for (int n = 0; n < refusals; n++)
        if (put(refused[n].rank, refused[n].number, REFUSED, &opening,
                sizeof opening) == -EAGAIN)
            refused[left++] = refused[n];
    refusals = left;
}

void tcpip_bypass_refuse(int rank, unsigned number)
{
    if (refusals < MOST_CONNECTIONS) {
        refused[refusals].rank = rank;
        refused[refusals++].number = number;
    }
    refuse_all();
}

void tcpip_bypass_pay_all(void)
{
    refuse_all();
    for (int n = 0; n < MOST_CONNECTIONS; n++)
        if (tcpip_bypass_connections[n].used &&
            tcpip_bypass_connections[n].owes)
            tcpip_bypass_pay(&tcpip_bypass_connections[n]);
}

ssize_t tcpip_bypass_data(struct connection *connection, const void *data,
                          size_t bytes)
{
    struct head head = {(uint16_t)connection->other, DATA};
    size_t most = tcpip_link_most() - sizeof head;
    struct iovec parts[2] = {{&head, sizeof head}, {(void *)data, bytes}};
    int error;

    if (bytes > most)
        parts[1].iov_len = bytes = most;
    error = tcpip_link_put(connection->rank, KIND_BYPASS, parts, 2);
    connection->blocked = error == -EAGAIN;
    if (!error)
        connection->under_way += bytes;
    return error ? error : (ssize_t)bytes;
}

int tcpip_bypass_done(void)
{
    for (int n = 0; n < MOST_CONNECTIONS; n++)
        if (tcpip_bypass_connections[n].used &&
            tcpip_bypass_connections[n].owes)
            return 0;
    return 1;
}
