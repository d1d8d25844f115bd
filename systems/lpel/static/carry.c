/*
 * carry.c: streams between cores as messages of iRCCE.
 *
 * A message is two: which stream and how many bytes, then the bytes. Who
 * sends waits until it has gone, as blocking MPI does, but takes in meanwhile
 * what comes: else two that send to each other would wait for ever. Whoever
 * sends asks nobody: the receiver's streams grow.
 */
#include "lpel_private.h"

#include "iRCCE.h"

#define END 0xFFFFFFFFu

struct head {
    uint32_t stream, bytes;
};

static struct peer {
    int streams; /* open, from there to here */
    int body;    /* its bytes are on the way */
    struct head head;
    void *message;
    iRCCE_RECV_REQUEST request;
} peers[RCCE_MAXNP];
static int expected;

void lpel_expect(struct lpel_stream *stream)
{
    peers[stream->writer->home].streams++;
    expected++;
}

int lpel_expected(void)
{
    return expected;
}

static void await_head(int rank)
{
    struct peer *peer = &peers[rank];

    peer->body = 0;
    iRCCE_irecv((char *)&peer->head, sizeof peer->head, rank, &peer->request);
}

void lpel_carry_start(void)
{
    for (int rank = 0; rank < lpel_all_ranks; rank++)
        if (peers[rank].streams)
            await_head(rank);
}

static void arrived(int rank)
{
    struct peer *peer = &peers[rank];
    struct lpel_stream *stream = lpel_stream_numbered(peer->head.stream);

    if (!peer->body && peer->head.bytes != END) {
        peer->message = lpel_malloc(peer->head.bytes);
        peer->body = 1;
        iRCCE_irecv(peer->message, (ssize_t)peer->head.bytes, rank,
                    &peer->request);
        return;
    }
    lpel_deliver(stream, peer->body ? peer->message : NULL);
    if (!peer->body) {
        peer->streams--;
        expected--;
    }
    if (peer->streams)
        await_head(rank);
}

/* What has come; 1: something did. */
int lpel_carry_on(void)
{
    int any = 0;

    for (int rank = 0; rank < lpel_all_ranks; rank++) {
        int done = 0;

        if (!peers[rank].streams)
            continue;
        iRCCE_irecv_test(&peers[rank].request, &done);
        if (done) {
            arrived(rank);
            any = 1;
        }
    }
    return any;
}

static void send(void *data, size_t bytes, int rank)
{
    iRCCE_SEND_REQUEST request;
    int done = 0;

    iRCCE_isend(data, (ssize_t)bytes, rank, &request);
    for (;;) {
        iRCCE_isend_test(&request, &done);
        if (done)
            return;
        lpel_carry_on();
        lpel_check_failed();
    }
}

/* NULL: the stream's end. */
void lpel_carry(struct lpel_stream *stream, void *message)
{
    int rank = stream->reader->home;
    struct head head = {.stream = stream->number, .bytes = END};

    if (message)
        head.bytes = (uint32_t)lpel_size(message);
    if (!head.bytes)
        lpel_fail("send a byte at least", "an empty message for stream '%s'",
                  stream->name);
    send(&head, sizeof head, rank);
    if (message)
        send(message, head.bytes, rank);
    lpel_free(message);
}

void lpel_carry_end(void)
{
    iRCCE_isend_wait(NULL);
    iRCCE_irecv_wait(NULL);
}
