/*
 * bypass_records.c: what connections tell each other. A record begins with a
 * word: the receiver's number of the connection, and what the record is.
 */
#include "bypass.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_BITS 8

struct head {
    uint16_t to, word;
};

struct opening {
    struct head head;
    uint16_t from, own_port, peer_port, unused;
};

struct crediting {
    struct head head;
    uint32_t bytes;
};

struct connection bypass_connections[MOST_CONNECTIONS];
static uint32_t refused[MOST_RANKS]; /* a number + 1 to be refused */

/* Numbers come again with another generation: late records find nobody. */
static unsigned number_of(const struct connection *connection)
{
    return (unsigned)(connection - bypass_connections) |
           ((unsigned)connection->generation << NUMBER_BITS & 0xffff);
}

static struct connection *numbered(unsigned number, int rank)
{
    struct connection *connection =
        &bypass_connections[number % MOST_CONNECTIONS];

    return connection->used && connection->rank == rank &&
                   number_of(connection) == number
               ? connection
               : NULL;
}

struct connection *bypass_new(void)
{
    for (int n = 0; n < MOST_CONNECTIONS; n++) {
        struct connection *connection = &bypass_connections[n];
        struct connection fresh = {
            .used = 1,
            .generation = connection->generation + 1,
            .queue = connection->queue,
            .rank = link_my_rank,
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

void bypass_settle(struct connection *connection)
{
    if (connection->closed && !connection->owes && !connection->opening)
        connection->used = 0;
}

static int put(int rank, unsigned to, enum word word, void *whole, size_t bytes)
{
    struct iovec part = {whole, bytes};

    *(struct head *)whole = (struct head){(uint16_t)to, (uint16_t)word};
    return link_put(rank, KIND_BYPASS, &part, 1);
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

/* Tells what is owed, in order, as far as there is room. */
static void pay(struct connection *connection)
{
    for (enum word word = OPEN; word < WORDS; word++) {
        if (!(connection->owes >> word & 1))
            continue;
        if (!connection->gone && tell(connection, word) == -EAGAIN)
            return;
        connection->owes &= ~(1u << word);
    }
    bypass_settle(connection);
}

void bypass_owe(struct connection *connection, enum word word)
{
    connection->owes |= 1u << word;
    pay(connection);
}

static void refuse(int rank)
{
    struct opening opening = {.unused = 0};

    if (refused[rank] && put(rank, refused[rank] - 1, REFUSED, &opening,
                             sizeof opening) != -EAGAIN)
        refused[rank] = 0;
}

ssize_t bypass_data(struct connection *connection, const void *data,
                    size_t bytes)
{
    struct head head = {(uint16_t)connection->other, DATA};
    size_t most = link_most() - sizeof head;
    struct iovec parts[2] = {{&head, sizeof head}, {(void *)data, bytes}};
    int error;

    if (bytes > most)
        parts[1].iov_len = bytes = most;
    error = link_put(connection->rank, KIND_BYPASS, parts, 2);
    connection->blocked = error == -EAGAIN;
    if (!error)
        connection->under_way += bytes;
    return error ? error : (ssize_t)bytes;
}

static struct connection *listener_at(unsigned port)
{
    for (int n = 0; n < MOST_CONNECTIONS; n++) {
        struct connection *connection = &bypass_connections[n];

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
        connection = bypass_new();
    if (!connection) {
        refused[rank] = opening->from + 1u;
        refuse(rank);
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
    bypass_owe(connection, OPENED);
}

static void hear_opened(struct connection *connection, unsigned from)
{
    connection->other = from;
    connection->opening = 0;
    connection->opened = 1;
    if (connection->closed)
        bypass_owe(connection, RESET);
}

static void lose(struct connection *connection, int error)
{
    connection->gone = connection->ended = 1;
    connection->opening = connection->blocked = 0;
    if (!connection->error)
        connection->error = error;
    pay(connection);
}

/* To where it is waited for, the rest into the queue. */
static void hear_data(struct connection *connection,
                      const volatile uint8_t *data, size_t bytes)
{
    size_t now = connection->room < bytes ? connection->room : bytes;

    if (connection->closed)
        return;
    link_get(connection->into, data, now);
    connection->into += now;
    connection->room -= now;
    connection->have += now;
    for (data += now, bytes -= now; bytes > 0; data += now, bytes -= now) {
        uint32_t at = connection->put % WINDOW;

        now = bytes < WINDOW - at ? bytes : WINDOW - at;
        link_get(connection->queue + at, data, now);
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

    link_get(words, record->data, bytes);
    if (head->word == OPEN) {
        hear_open(record->rank, (const struct opening *)words);
        return;
    }
    connection = numbered(head->to, record->rank);
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
    refused[rank] = 0;
    for (int n = 0; n < MOST_CONNECTIONS; n++) {
        struct connection *connection = &bypass_connections[n];

        if (connection->used && connection->rank == rank &&
            rank != link_my_rank && !connection->gone)
            lose(connection, connection->opened ? ECONNRESET : ECONNREFUSED);
    }
}

static void room(void)
{
    for (int rank = 0; rank < link_ranks; rank++)
        refuse(rank);
    for (int n = 0; n < MOST_CONNECTIONS; n++) {
        struct connection *connection = &bypass_connections[n];

        if (connection->used && connection->owes)
            pay(connection);
        if (connection->used && connection->blocked)
            connection->blocked = !link_room(connection->rank);
    }
}

static void nothing(void)
{
}

static uint64_t never(void)
{
    return FOR_EVER;
}

void bypass_start(void)
{
    static const struct listener listener = {
        .record = hear,
        .ended = ended,
        .room = room,
        .run = nothing,
        .due = never,
    };

    link_listen(KIND_BYPASS, &listener);
}

int bypass_done(void)
{
    for (int n = 0; n < MOST_CONNECTIONS; n++)
        if (bypass_connections[n].used && bypass_connections[n].owes)
            return 0;
    return 1;
}
