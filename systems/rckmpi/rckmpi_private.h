/*
 * rckmpi_private.h: what the files of the library share.
 *
 * Rules for message buffers, which all files obey: CL1INVMB (rckmpi_round)
 * before lines are read that others write; sections and buffers of others are
 * written or read, never both; the word that says that a message is there is
 * stored last, and then a store to another line pushes the write-combine
 * buffer.
 */
#ifndef RCKMPI_PRIVATE_H
#define RCKMPI_PRIVATE_H

#include "rckmpi.h"
#include "scc/cache.h"

#define LINE SCC_LINE_SIZE
#define MPB_BYTES 8192u
/* The last line: word r of the first is not used; see `control`. */
#define CONTROL_OFFSET (MPB_BYTES - LINE)

typedef volatile uint32_t mpb_word;

/* How far the stream to be sent has been taken. */
struct cursor {
    const struct iovec *part;
    int count;
    size_t offset; /* in the first part */
};

/* With a peer: numbers of messages, and what of the current one is left. */
struct peer {
    volatile char *mine;   /* its section in the own MPB */
    volatile char *theirs; /* the own section in its MPB */
    volatile char *buffer; /* its general purpose section */
    uint16_t sent, acknowledged, received;
    uint32_t chunks; /* of the own general purpose section, in flight */
    size_t arrived, taken;
    uint32_t arrived_chunks;
};

struct channel {
    const char *name;
    /* Where sections lie, once the size is known. */
    void (*open)(void);
    unsigned (*look)(struct peer *peer);
    size_t (*send)(struct peer *peer, struct cursor *from, size_t total);
    void (*receive)(struct peer *peer, char *to, size_t bytes);
    /* Ranks worth a look (NULL: all). */
    void (*round)(void);
    int (*next)(int rank);
};

extern const struct channel rckmpi_original, rckmpi_improved, rckmpi_bells;

typedef void rckmpi_copy(char *to, const volatile char *from, size_t bytes);

/* The improved channel without its last push, for bells push as well. */
void rckmpi_improved_open(void);
unsigned rckmpi_improved_look(struct peer *peer);
size_t rckmpi_improved_send(struct peer *peer, struct cursor *from,
                            size_t total);
/* The acknowledgement, if this was all, is to be pushed. */
void rckmpi_improved_take(struct peer *peer, char *to, size_t bytes,
                          rckmpi_copy *get);

extern int rckmpi_my_rank, rckmpi_ranks;
extern size_t rckmpi_section;
extern struct peer rckmpi_peers[RCKMPI_MOST_RANKS];
/* Each rank's MPB, as this core sees it. */
extern volatile char *rckmpi_mpb[RCKMPI_MOST_RANKS];

/* Maps all MPBs of the job; 0 if the kernel refuses. */
int rckmpi_map(void);
void rckmpi_end_if_aborted(void);
/* Ends the program with a message and a hint. */
void rckmpi_refuse(const char *what, const char *hint)
    __attribute__((noreturn));

/* Copies whole lines of a stream to an MPB, behind the last byte zeros;
 * returns the sum of their words. */
uint32_t rckmpi_put_lines(volatile char *to, struct cursor *from, size_t lines);
/* Takes up to `bytes` of a stream to private memory; how many there were. */
size_t rckmpi_gather(void *to, struct cursor *from, size_t bytes);
/* Copies from an MPB. */
void rckmpi_get(char *to, const volatile char *from, size_t bytes);
/* The same to memory that no cache may have. */
void rckmpi_get_touching(char *to, const volatile char *from, size_t bytes);
uint32_t rckmpi_sum(const volatile char *from, size_t lines);

/* A store to another line drains the write-combine buffer. */
static inline void push_wcb(void)
{
    ((mpb_word *)(rckmpi_mpb[rckmpi_my_rank] + CONTROL_OFFSET))[7] = 0;
}

static inline void put_words(volatile char *to, const uint32_t *from, int words)
{
    for (int n = 0; n < words; n++)
        ((mpb_word *)to)[n] = from[n];
}

#endif
