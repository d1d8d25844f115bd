/*
 * iRCCE_waitlist.c: waiting for several messages at once.
 */
#include "iRCCE_lib.h"

void iRCCE_init_wait_list(iRCCE_WAIT_LIST *list)
{
    list->first = list->last = NULL;
}

static void add(iRCCE_WAIT_LIST *list, int type, void *request)
{
    iRCCE_WAIT_LISTELEM *item = malloc(sizeof *item);

    if (!request || !item) {
        free(item);
        return;
    }
    *item = (iRCCE_WAIT_LISTELEM){type, NULL, request};
    if (list->last)
        list->last->next = item;
    else
        list->first = item;
    list->last = item;
}

void iRCCE_add_to_wait_list(iRCCE_WAIT_LIST *list, iRCCE_SEND_REQUEST *send,
                            iRCCE_RECV_REQUEST *recv)
{
    add(list, iRCCE_WAIT_LIST_SEND_TYPE, send);
    add(list, iRCCE_WAIT_LIST_RECV_TYPE, recv);
}

static int finished(const iRCCE_WAIT_LISTELEM *item, int *error)
{
    if (item->type == iRCCE_WAIT_LIST_SEND_TYPE) {
        const iRCCE_SEND_REQUEST *send = item->req;
        *error = send->error;
        return send->finished;
    }
    const iRCCE_RECV_REQUEST *recv = item->req;
    *error = recv->error;
    return recv->finished;
}

/* Takes the first finished request out; NULL when there is none. */
static iRCCE_WAIT_LISTELEM *take_finished(iRCCE_WAIT_LIST *list, int *error)
{
    iRCCE_WAIT_LISTELEM *before = NULL, *item = list->first;

    while (item && !finished(item, error)) {
        before = item;
        item = item->next;
    }
    if (!item)
        return NULL;
    if (before)
        before->next = item->next;
    else
        list->first = item->next;
    if (list->last == item)
        list->last = before;
    return item;
}

int iRCCE_test_all(iRCCE_WAIT_LIST *list, int *test)
{
    int error = 0, first_error = iRCCE_SUCCESS;
    iRCCE_WAIT_LISTELEM *item;

    ircce_push();
    while ((item = take_finished(list, &error))) {
        free(item);
        if (!first_error)
            first_error = error;
    }
    if (test)
        *test = !list->first;
    if (first_error)
        return rcce_fail(rcce_debug_comm, first_error);
    return list->first ? iRCCE_PENDING : iRCCE_SUCCESS;
}

int iRCCE_wait_all(iRCCE_WAIT_LIST *list)
{
    int done = 0, result = iRCCE_SUCCESS;

    while (!done) {
        int now = iRCCE_test_all(list, &done);
        if (now != iRCCE_PENDING && !result)
            result = now;
    }
    return result;
}

int iRCCE_test_any(iRCCE_WAIT_LIST *list, iRCCE_SEND_REQUEST **send,
                   iRCCE_RECV_REQUEST **recv)
{
    int error = 0;

    if (send)
        *send = NULL;
    if (recv)
        *recv = NULL;
    if (!list->first)
        return iRCCE_NOT_ENQUEUED;
    ircce_push();
    iRCCE_WAIT_LISTELEM *item = take_finished(list, &error);
    if (!item)
        return iRCCE_PENDING;
    if (item->type == iRCCE_WAIT_LIST_SEND_TYPE) {
        if (send)
            *send = item->req;
    } else if (recv) {
        *recv = item->req;
    }
    free(item);
    return error ? rcce_fail(rcce_debug_comm, error) : iRCCE_SUCCESS;
}

int iRCCE_wait_any(iRCCE_WAIT_LIST *list, iRCCE_SEND_REQUEST **send,
                   iRCCE_RECV_REQUEST **recv)
{
    int result;

    do
        result = iRCCE_test_any(list, send, recv);
    while (result == iRCCE_PENDING);
    return result;
}
