/*
 * A console in shared memory: cores write text into rings, and a program of
 * the host reads them out while the chip runs.
 */
#include "RCCE.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>

/* Uncached shared memory that RCCE leaves alone; 4 KB for each core. */
#define RINGS 0x82100000u
#define RING_BYTES 4096u
#define TEXT_BYTES 256u

/* The core moves `head`, the host moves `tail`: neither writes the other. */
struct ring {
    volatile uint32_t head;
    volatile uint32_t tail;
    uint32_t unused[6];
    volatile char text[TEXT_BYTES];
};

static struct ring *ring;

/* Waits while the ring is full: nothing is lost. */
static void put(char c)
{
    uint32_t head = ring->head;
    while (head - ring->tail == TEXT_BYTES)
        ;
    ring->text[head % TEXT_BYTES] = c;
    ring->head = head + 1;
}

static void say(const char *text)
{
    while (*text)
        put(*text++);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    int lines = argc > 1 ? atoi(argv[1]) : 20;
    int fd = open("/dev/rckncm", O_RDWR | O_SYNC);
    char line[64];

    ring = mmap(NULL, RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                (off_t)(RINGS + RING_BYTES * (uint32_t)RCCE_ue()));
    for (int n = 1; n <= lines; n++) {
        snprintf(line, sizeof line, "UE %d, line %d of %d\n", RCCE_ue(), n,
                 lines);
        say(line);
    }
    return RCCE_finalize();
}
