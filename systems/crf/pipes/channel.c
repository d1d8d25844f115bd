/*
 * channel.c: bytes on their way from threads to threads.
 */
#include "pipes.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

struct crf_channel *crf_channel_new(void)
{
    struct crf_channel *channel = malloc(sizeof *channel);

    if (!channel)
        return NULL;
    pthread_mutex_init(&channel->lock, NULL);
    pthread_cond_init(&channel->changed, NULL);
    channel->start = channel->length = 0;
    channel->read_from = channel->written_to = 1;
    channel->sides = 2;
    return channel;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* At most what is there. Of an empty ring the first pages are used again. */
static uint32_t take(struct crf_channel *from, uint8_t *to, uint32_t count)
{
    uint32_t part;

    count = least(count, from->length);
    part = least(count, CRF_PIPE_BYTES - from->start);
    memcpy(to, from->bytes + from->start, part);
    memcpy(to + part, from->bytes, count - part);
    from->length -= count;
    from->start = from->length ? (from->start + count) % CRF_PIPE_BYTES : 0;
    return count;
}

/* At most what there is room for. */
static uint32_t put(struct crf_channel *to, const uint8_t *from, uint32_t count)
{
    uint32_t at = (to->start + to->length) % CRF_PIPE_BYTES;
    uint32_t part;

    count = least(count, CRF_PIPE_BYTES - to->length);
    part = least(count, CRF_PIPE_BYTES - at);
    memcpy(to->bytes + at, from, part);
    memcpy(to->bytes, from + part, count - part);
    to->length += count;
    return count;
}

int32_t crf_channel_take(struct crf_channel *from, void *to, uint32_t count,
                         int waits)
{
    int32_t result;

    pthread_mutex_lock(&from->lock);
    while (count && waits && !from->length && from->written_to &&
           from->read_from)
        pthread_cond_wait(&from->changed, &from->lock);
    result = (int32_t)take(from, to, count);
    if (!result && count && from->written_to && from->read_from)
        result = -EAGAIN;
    if (result > 0)
        pthread_cond_broadcast(&from->changed);
    pthread_mutex_unlock(&from->lock);
    return result;
}

int32_t crf_channel_put(struct crf_channel *to, const void *from,
                        uint32_t count, int waits)
{
    uint32_t needed = count <= CRF_PIPE_BUF ? count : 1, done = 0;
    int32_t error = 0;

    pthread_mutex_lock(&to->lock);
    while (done < count && !error) {
        if (!to->read_from || !to->written_to) {
            error = -EPIPE;
        } else if (CRF_PIPE_BYTES - to->length >= needed) {
            done += put(to, (const uint8_t *)from + done, count - done);
            pthread_cond_broadcast(&to->changed);
        } else if (waits) {
            pthread_cond_wait(&to->changed, &to->lock);
        } else {
            error = -EAGAIN;
        }
    }
    pthread_mutex_unlock(&to->lock);
    return done ? (int32_t)done : error;
}

static void shut(struct crf_channel *channel, int reading)
{
    if (reading)
        channel->read_from = 0;
    else
        channel->written_to = 0;
    pthread_cond_broadcast(&channel->changed);
}

void crf_channel_shut(struct crf_channel *channel, int reading)
{
    pthread_mutex_lock(&channel->lock);
    shut(channel, reading);
    pthread_mutex_unlock(&channel->lock);
}

void crf_channel_close(struct crf_channel *channel, int reading)
{
    uint32_t sides;

    pthread_mutex_lock(&channel->lock);
    shut(channel, reading);
    sides = --channel->sides;
    pthread_mutex_unlock(&channel->lock);
    if (sides)
        return;
    pthread_cond_destroy(&channel->changed);
    pthread_mutex_destroy(&channel->lock);
    free(channel);
}

uint32_t crf_channel_length(struct crf_channel *channel)
{
    uint32_t length;

    pthread_mutex_lock(&channel->lock);
    length = channel->length;
    pthread_mutex_unlock(&channel->lock);
    return length;
}

int crf_channel_ready(struct crf_channel *channel, int reading)
{
    int ready;

    pthread_mutex_lock(&channel->lock);
    if (reading)
        ready = (channel->length ? POLLIN : 0) |
                (channel->written_to ? 0 : POLLHUP);
    else
        ready = CRF_PIPE_BYTES - channel->length >= CRF_PIPE_BUF ||
                        !channel->read_from
                    ? POLLOUT
                    : 0;
    pthread_mutex_unlock(&channel->lock);
    return ready;
}
