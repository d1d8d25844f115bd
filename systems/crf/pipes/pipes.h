/*
 * pipes.h: pipes and pairs of sockets between threads of any cores. What is on
 * its way lies in the shared heap, under a mutex of the library's own:
 *
 * channel.c  bytes in one direction
 * ends.c     making and closing ends
 * calls.c    system calls for an end
 * poll.c     poll and select
 */
#ifndef CRF_PIPES_H
#define CRF_PIPES_H

#include "../crf_private.h"

#include <pthread.h>

#define CRF_PIPE_BYTES 65536u
#define CRF_PIPE_BUF 4096u /* bytes that are written as one */

struct crf_channel {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint32_t start, length;
    uint32_t read_from,
        written_to; /* false: that side has said so, or closed */
    uint32_t sides; /* that are open */
    uint8_t bytes[CRF_PIPE_BYTES];
};

/* What a descriptor leads to. A pipe's end has one channel. */
struct crf_end {
    struct crf_channel *in, *out;
};

/* The end of a descriptor, or null. */
struct crf_end *crf_end_of(uint32_t fd);

struct crf_channel *crf_channel_new(void);
/* Takes what is there, or waits for some; 0 at the end, or -EAGAIN. */
int32_t crf_channel_take(struct crf_channel *from, void *to, uint32_t count,
                         int waits);
/* Puts all, in pieces if there are more than CRF_PIPE_BUF; -EPIPE without a
 * reader, or -EAGAIN. */
int32_t crf_channel_put(struct crf_channel *to, const void *from,
                        uint32_t count, int waits);
/* Closes one side; the last one frees the channel. */
void crf_channel_close(struct crf_channel *channel, int reading);
/* Says that nothing more will be read, or written. */
void crf_channel_shut(struct crf_channel *channel, int reading);
uint32_t crf_channel_length(struct crf_channel *channel);
/* POLLIN, POLLOUT and POLLHUP of one side. */
int crf_channel_ready(struct crf_channel *channel, int reading);

int32_t crf_end_make(const struct crf_call *words);
int32_t crf_end_read(uint32_t fd, void *to, uint32_t count, int waits);
int32_t crf_end_write(uint32_t fd, const void *from, uint32_t count, int waits,
                      int signals);
int32_t crf_poll_call(const struct crf_call *words);
int32_t crf_select_call(const struct crf_call *words);

#endif
