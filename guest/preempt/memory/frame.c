/*
 * frame.c: page frames, each with the number of its users. After fork()
 * parent and child use the same frames until one of them writes.
 */
#include "kernel.h"

#define FRAMES (KERNEL_MEMORY / PAGE)

static uint8_t users[FRAMES];
static uint32_t available, next;

void *address_of(uint32_t frame)
{
    return (void *)(frame + KERNEL_BASE);
}

uint32_t frame_at(const void *address)
{
    return (uint32_t)address - KERNEL_BASE;
}

/* Frames below FIRST_FREE hold the kernel and the programs. */
void frames_init(uint32_t first_free)
{
    uint32_t n;

    for (n = 0; n < FRAMES; n++)
        users[n] = n * PAGE < first_free;
    next = (first_free + PAGE - 1) / PAGE;
    available = FRAMES - next;
}

/* A frame of zeros for one user; 0 if there is none. */
uint32_t frame_new(void)
{
    uint32_t tries;

    for (tries = 0; tries < FRAMES; tries++) {
        uint32_t n = next;

        next = (next + 1) % FRAMES;
        if (users[n] == 0) {
            users[n] = 1;
            available--;
            fill(address_of(n * PAGE), 0, PAGE);
            return n * PAGE;
        }
    }
    return 0;
}

void frame_share(uint32_t frame)
{
    users[frame / PAGE]++;
}

void frame_drop(uint32_t frame)
{
    if (--users[frame / PAGE] == 0)
        available++;
}

int frame_is_shared(uint32_t frame)
{
    return users[frame / PAGE] > 1;
}

uint32_t frames_free(void)
{
    return available;
}
