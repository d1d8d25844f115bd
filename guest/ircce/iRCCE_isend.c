/*
 * iRCCE_isend.c: the sending half of non-blocking messages.
 *
 * In chunks it is the protocol of RCCE_send, step by step. In pieces, "sent"
 * counts the pieces that are there and "ready" those that were fetched; two
 * pieces fit into the message buffer, so one is filled while the other is
 * fetched. The receiver sets "sent" back before the last "ready", the sender
 * then its own "ready".
 */
#include "iRCCE_lib.h"

static iRCCE_SEND_REQUEST *first;

static struct rcce_signal ready_of(const iRCCE_SEND_REQUEST *r)
{
    return rcce_line_signal(rcce_ready_line[r->dest]);
}

static void raise(const iRCCE_SEND_REQUEST *r, int value, int along)
{
    rcce_signal_store(rcce_line_signal(rcce_sent_line[rcce_my_rank]), value,
                      along, r->dest);
}

static void finish(iRCCE_SEND_REQUEST *r, int answer)
{
    rcce_signal_store(ready_of(r), 0, 0, rcce_my_rank);
    r->error = answer == RCCE_MISMATCH ? RCCE_ERROR_MESSAGE_LENGTH : 0;
    r->finished = 1;
}

/* One chunk at a time; returns whether something happened. */
static int step_chunk(iRCCE_SEND_REQUEST *r)
{
    size_t rest = r->size - r->wsize;
    size_t bytes = rest < rcce_chunk ? rest : rcce_chunk;
    int answer;

    if (r->label == 0) {
        rcce_fill(rcce_combuf, r->privbuf + r->wsize, bytes);
        raise(r, RCCE_FLAG_SET, (int)r->size);
        r->label = 1;
        return 1;
    }
    if (!rcce_signal_load(ready_of(r), &answer, rcce_my_rank))
        return 0;
    r->wsize += bytes;
    r->label = 0;
    if (r->wsize == r->size || answer == RCCE_MISMATCH)
        finish(r, answer);
    else
        rcce_signal_store(ready_of(r), 0, 0, rcce_my_rank);
    return 1;
}

static int step_pieces(iRCCE_SEND_REQUEST *r)
{
    size_t piece = rcce_piece();
    int pieces = (int)((r->size + piece - 1) / piece);
    int answer;
    int fetched = rcce_signal_load(ready_of(r), &answer, rcce_my_rank);

    if (fetched == pieces) {
        finish(r, answer);
        return 1;
    }
    if (r->label == pieces || r->label - fetched == 2)
        return 0;
    size_t at = (size_t)r->label * piece;
    size_t bytes = r->size - at < piece ? r->size - at : piece;
    rcce_fill(rcce_combuf + (size_t)(r->label % 2) * piece, r->privbuf + at,
              bytes);
    r->label++;
    r->wsize = at + bytes;
    raise(r, r->label, (int)r->size | RCCE_PIPED);
    return 1;
}

void ircce_push_sends(void)
{
    while (first) {
        if (!(first->sync ? step_pieces(first) : step_chunk(first)))
            return;
        if (first->finished)
            first = first->next;
    }
}

int iRCCE_isend_push(void)
{
    ircce_push();
    return first ? iRCCE_PENDING : iRCCE_SUCCESS;
}

static int state(const iRCCE_SEND_REQUEST *r)
{
    if (r->finished)
        return r->error ? rcce_fail(rcce_debug_comm, r->error) : iRCCE_SUCCESS;
    return r == first ? iRCCE_PENDING : iRCCE_RESERVED;
}

int iRCCE_isend_test(iRCCE_SEND_REQUEST *request, int *test)
{
    ircce_push();
    int done = request ? request->finished : !first;
    if (test)
        *test = done;
    if (!request)
        return first ? iRCCE_PENDING : iRCCE_SUCCESS;
    return state(request);
}

int iRCCE_isend_wait(iRCCE_SEND_REQUEST *request)
{
    while (request ? !request->finished : first != NULL)
        ircce_push();
    return request ? state(request) : iRCCE_SUCCESS;
}

static int start(char *buffer, ssize_t size, int dest,
                 iRCCE_SEND_REQUEST *request, int sync)
{
    iRCCE_SEND_REQUEST own, *r = request ? request : &own;
    iRCCE_SEND_REQUEST **link = &first;
    int error = ircce_check();

    if (!error)
        error = size > 0 ? rcce_check_send(buffer, (size_t)size, dest)
                         : RCCE_ERROR_MESSAGE_LENGTH;
    *r = (iRCCE_SEND_REQUEST){.privbuf = buffer,
                              .size = (size_t)size,
                              .dest = dest,
                              .sync = sync,
                              .error = error,
                              .finished = error != 0};
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    rcce_log_send(dest, (size_t)size);
    while (*link)
        link = &(*link)->next;
    *link = r;
    ircce_push_sends();
    return request ? state(r) : iRCCE_isend_wait(r);
}

int iRCCE_isend(char *buffer, ssize_t size, int dest,
                iRCCE_SEND_REQUEST *request)
{
    return start(buffer, size, dest, request, 0);
}

int iRCCE_issend(char *buffer, ssize_t size, int dest,
                 iRCCE_SEND_REQUEST *request)
{
    return start(buffer, size, dest, request, 1);
}

/* The first of the queue has begun. */
int iRCCE_isend_cancel(iRCCE_SEND_REQUEST *request, int *test)
{
    iRCCE_SEND_REQUEST **link = &first;

    if (test)
        *test = 0;
    while (*link && *link != request)
        link = &(*link)->next;
    if (!request || !*link)
        return iRCCE_NOT_ENQUEUED;
    if (request == first)
        return iRCCE_PENDING;
    *link = request->next;
    if (test)
        *test = 1;
    return iRCCE_SUCCESS;
}
