/*
 * iRCCE_irecv.c: the receiving half of non-blocking messages. The sender
 * chooses between chunks and pieces (see iRCCE_isend.c) and says so with
 * "sent", so any receive takes either.
 */
#include "iRCCE_lib.h"

static iRCCE_RECV_REQUEST *first[RCCE_MAXNP];
static iRCCE_RECV_REQUEST *first_any;
int ircce_length;

static struct rcce_signal sent_of(int source)
{
    return rcce_line_signal(rcce_sent_line[source]);
}

static void answer(const iRCCE_RECV_REQUEST *r, int value)
{
    rcce_signal_store(rcce_line_signal(rcce_ready_line[rcce_my_rank]), value,
                      r->error ? RCCE_MISMATCH : 0, r->source);
}

/* The first sign of a message: its length is known. */
static void begin(iRCCE_RECV_REQUEST *r, int along)
{
    size_t total = (size_t)(along & ~RCCE_PIPED);

    r->started = 1;
    r->sync = (along & RCCE_PIPED) != 0;
    if (r->size == (size_t)iRCCE_ANY_LENGTH)
        r->size = total;
    if (r->size != total)
        r->error = RCCE_ERROR_MESSAGE_LENGTH;
    ircce_length = (int)total;
}

static void take_chunk(iRCCE_RECV_REQUEST *r)
{
    size_t rest = r->size - r->wsize;
    size_t bytes = rest < rcce_chunk ? rest : rcce_chunk;

    /* Reset before "ready" lets the sender raise it again. */
    rcce_signal_store(sent_of(r->source), 0, 0, rcce_my_rank);
    if (!r->error)
        rcce_fetch(r->privbuf + r->wsize, rcce_combuf, bytes, r->source);
    r->wsize += bytes;
    r->finished = r->error || r->wsize == r->size;
    answer(r, RCCE_FLAG_SET);
}

/* A message of the wrong size is acknowledged to its end, not copied. */
static void take_piece(iRCCE_RECV_REQUEST *r, size_t total)
{
    size_t piece = rcce_piece();
    int pieces = (int)((total + piece - 1) / piece);
    size_t at = (size_t)r->label * piece;
    size_t bytes = total - at < piece ? total - at : piece;

    if (!r->error)
        rcce_fetch(r->privbuf + at,
                   rcce_combuf + (size_t)(r->label % 2) * piece, bytes,
                   r->source);
    r->label++;
    r->wsize = at + bytes;
    r->finished = r->label == pieces;
    if (r->finished)
        rcce_signal_store(sent_of(r->source), 0, 0, rcce_my_rank);
    answer(r, r->label);
}

/* Returns whether something happened. */
static int step(iRCCE_RECV_REQUEST *r)
{
    int along;
    int raised = rcce_signal_load(sent_of(r->source), &along, rcce_my_rank);

    if (!raised)
        return 0;
    if (!r->started)
        begin(r, along);
    if (!r->sync)
        take_chunk(r);
    else if (raised > r->label)
        take_piece(r, (size_t)(along & ~RCCE_PIPED));
    else
        return 0;
    return 1;
}

static int raised(int source)
{
    int along;

    return source != rcce_my_rank && source != rcce_receiving &&
           rcce_signal_load(sent_of(source), &along, rcce_my_rank) != 0;
}

/* A function of its own: by its call tools see whose message was chosen. */
__attribute__((noinline)) void ircce_take_any(int source)
{
    iRCCE_RECV_REQUEST *r = first_any;

    first_any = r->next;
    r->source = source;
    r->next = NULL;
    first[source] = r;
}

/* The first receive that takes any source takes the first message that no
 * other receive waits for. Each search begins behind the last find, so that
 * no sender is left out for ever. */
static void match_any(void)
{
    static int last;

    for (int n = 1; first_any && n <= rcce_ues; n++) {
        int source = (last + n) % rcce_ues;
        if (first[source] || !raised(source))
            continue;
        ircce_take_any(last = source);
        n = 0;
    }
}

static void push_source(int source)
{
    while (first[source] && source != rcce_receiving && step(first[source]))
        if (first[source]->finished)
            first[source] = first[source]->next;
}

void ircce_push_recvs(void)
{
    if (first_any)
        match_any();
    for (int source = 0; source < rcce_ues; source++)
        if (first[source])
            push_source(source);
}

/* Whether a receive was started for messages of this source. */
int ircce_expected(int source)
{
    return first[source] != NULL;
}

static int pending(void)
{
    for (int source = 0; source < rcce_ues; source++)
        if (first[source])
            return 1;
    return first_any != NULL;
}

int iRCCE_irecv_push(void)
{
    ircce_push();
    return pending() ? iRCCE_PENDING : iRCCE_SUCCESS;
}

static int state(const iRCCE_RECV_REQUEST *r)
{
    if (r->finished)
        return r->error ? rcce_fail(rcce_debug_comm, r->error) : iRCCE_SUCCESS;
    const iRCCE_RECV_REQUEST *head =
        r->source < 0 ? first_any : first[r->source];
    return r == head ? iRCCE_PENDING : iRCCE_RESERVED;
}

int iRCCE_irecv_test(iRCCE_RECV_REQUEST *request, int *test)
{
    ircce_push();
    int done = request ? request->finished : !pending();
    if (test)
        *test = done;
    if (!request)
        return done ? iRCCE_SUCCESS : iRCCE_PENDING;
    return state(request);
}

int iRCCE_irecv_wait(iRCCE_RECV_REQUEST *request)
{
    while (request ? !request->finished : pending())
        ircce_push();
    return request ? state(request) : iRCCE_SUCCESS;
}

static int check(const char *buffer, ssize_t size, int source)
{
    int error = ircce_check();
    if (error)
        return error;
    if (size <= 0 && size != iRCCE_ANY_LENGTH)
        return RCCE_ERROR_MESSAGE_LENGTH;
    if (source == iRCCE_ANY_SOURCE)
        return buffer ? RCCE_SUCCESS : RCCE_ERROR_TARGET;
    return rcce_check_recv(buffer, size > 0 ? (size_t)size : 1, source);
}

int iRCCE_irecv(char *buffer, ssize_t size, int source,
                iRCCE_RECV_REQUEST *request)
{
    iRCCE_RECV_REQUEST own, *r = request ? request : &own;
    int error = check(buffer, size, source);

    *r = (iRCCE_RECV_REQUEST){.privbuf = buffer,
                              .size = (size_t)size,
                              .source = source,
                              .error = error,
                              .finished = error != 0};
    if (error)
        return rcce_fail(rcce_debug_comm, error);
    iRCCE_RECV_REQUEST **link = source < 0 ? &first_any : &first[source];
    while (*link)
        link = &(*link)->next;
    *link = r;
    ircce_push_recvs();
    return request ? state(r) : iRCCE_irecv_wait(r);
}

int iRCCE_isrecv(char *buffer, ssize_t size, int source,
                 iRCCE_RECV_REQUEST *request)
{
    return iRCCE_irecv(buffer, size, source, request);
}

int iRCCE_irecv_cancel(iRCCE_RECV_REQUEST *request, int *test)
{
    if (test)
        *test = 0;
    if (!request || request->finished || request->source >= rcce_ues)
        return iRCCE_NOT_ENQUEUED;
    iRCCE_RECV_REQUEST **link =
        request->source < 0 ? &first_any : &first[request->source];
    while (*link && *link != request)
        link = &(*link)->next;
    if (!*link)
        return iRCCE_NOT_ENQUEUED;
    if (request->started)
        return iRCCE_PENDING;
    *link = request->next;
    if (test)
        *test = 1;
    return iRCCE_SUCCESS;
}
