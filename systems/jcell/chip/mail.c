/*
 * mail.c: a line of each core's MPB for each other core.
 *
 * A mail is one line. Behind it the sender writes the mail's number into its
 * byte of a row of bells, so that a core that looks for mail reads two lines
 * and not 48. The receiver writes the number into its byte of the sender's row
 * of receipts, then the box is free. What finds its box taken waits in a queue
 * of this core: no handler ever blocks, so that no two cores wait for each
 * other.
 */
#include "RCCE.h"
#include "chip.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 32, QUEUE = 1024, ROW = 2 * LINE };

struct queue {
    struct mail *mails;
    int first, count;
    uint8_t sent; /* the last number */
};

static t_vcharp boxes, bells, receipts;
static struct queue *queues;
static uint8_t *seen;
static unsigned char row[ROW] __attribute__((aligned(LINE)));
_Static_assert(RCCE_MAXNP <= ROW, "a byte for each core");
static int cores, me, waiting;

bool jcell_mail_open(void)
{
    cores = RCCE_num_ues();
    me = RCCE_ue();
    boxes = RCCE_malloc((size_t)(cores * LINE));
    bells = RCCE_malloc(ROW);
    receipts = RCCE_malloc(ROW);
    queues = calloc((size_t)cores, sizeof *queues);
    seen = calloc((size_t)cores, 1);
    if (!boxes || !bells || !receipts || !queues || !seen)
        return false;
    for (int ue = 0; ue < cores; ue++) {
        queues[ue].mails = malloc(QUEUE * sizeof *queues[ue].mails);
        if (!queues[ue].mails)
            return false;
    }
    RCCE_put(bells, row, ROW, me);
    RCCE_put(receipts, row, ROW, me);
    RCCE_barrier(&RCCE_COMM_WORLD);
    return true;
}

void jcell_mail(int ue, const struct mail *mail)
{
    struct queue *queue = &queues[ue];

    if (queue->count == QUEUE) {
        fprintf(stderr, "jcell: core %d: %d mails wait for core %d\n", me,
                QUEUE, ue);
        abort();
    }
    queue->mails[(queue->first + queue->count++) % QUEUE] = *mail;
    waiting++;
}

/* 1, 2, ... 255, 1: never 0. */
static uint8_t after(uint8_t sequence)
{
    return sequence == 255 ? 1 : (uint8_t)(sequence + 1);
}

static void send(struct queue *queue, int ue)
{
    struct mail mail __attribute__((aligned(LINE)));

    mail = queue->mails[queue->first];
    queue->sent = after(queue->sent);
    RCCE_put(boxes + me * LINE, (t_vcharp)&mail, LINE, ue);
    RCCE_put_char(bells + me, &queue->sent, ue);
    queue->first = (queue->first + 1) % QUEUE;
    queue->count--;
    waiting--;
    jcell_counted.mails++;
}

static void send_waiting(void)
{
    if (!waiting)
        return;
    RCCE_get(row, receipts, ROW, me);
    for (int ue = 0; ue < cores; ue++)
        if (queues[ue].count && row[ue] == queues[ue].sent)
            send(&queues[ue], ue);
}

static void receive(int ue)
{
    struct mail mail __attribute__((aligned(LINE)));

    seen[ue] = after(seen[ue]);
    RCCE_get((t_vcharp)&mail, boxes + ue * LINE, LINE, me);
    RCCE_put_char(receipts + me, &seen[ue], ue);
    jcell_handle(&mail);
}

void jcell_serve(void)
{
    static unsigned char rung[ROW] __attribute__((aligned(LINE)));

    send_waiting();
    RCCE_get(rung, bells, ROW, me);
    for (int ue = 0; ue < cores; ue++)
        if (rung[ue] != seen[ue])
            receive(ue);
}
