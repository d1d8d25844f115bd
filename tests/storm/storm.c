/*
 * storm.c: messages of random sizes between random partners, blocking and
 * not, in chunks and in pieces, each checked byte by byte.
 *
 *     storm MESSAGES SEED [vary]
 *
 * All follows from the seed, so a receiver knows what must come. In a round
 * every UE sends a few messages. Receives are posted before the sends or,
 * from lower ranks only, made after them: so nobody can wait in a circle,
 * and a blocking send often waits for a partner that is blocked itself.
 * Most messages are small, as programs' are; one in 512 is longer than a
 * chunk. With "vary" each tile runs at a clock of its own.
 */
#include "iRCCE.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#define SENDS 6 /* of a UE in a round */
#define MAX_IN (RCCE_MAXNP * SENDS)
#define POOL 2000000
#define CANARY 0x5a

static uint32_t seed;
static int me, ues;
static char pool[POOL];
static char sent_to[RCCE_MAXNP];
static size_t used;

struct message {
    int source, dest, number, round;
    int size, kind;
    char *data;
};

static uint32_t mix(uint32_t a, uint32_t b)
{
    uint32_t x = (a ^ 0x9e3779b9u) * 0x85ebca6bu + b;
    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    return x ^ x >> 13;
}

static struct message make(int source, int number, int round)
{
    uint32_t h = mix(mix(mix(seed, (uint32_t)source), (uint32_t)number),
                     (uint32_t)round);
    struct message m = {.source = source, .number = number, .round = round};
    int most = (h & 7) ? 40 : (h & 0xf8) ? 200 : (h & 0x10000) ? 1500 : 9000;
    m.dest = (int)((h >> 8) % (unsigned)(ues - 1));
    m.dest += m.dest >= source;
    m.size = 1 + (int)(mix(h, 1) % (unsigned)most);
    m.kind = (int)(mix(h, 2) & 3);
    return m;
}

static char *allocate(int size)
{
    char *data = pool + used;
    used += (size_t)(size + 4 + 31) & ~(size_t)31;
    if (used > POOL) {
        puts("pool exhausted");
        exit(3);
    }
    data[size] = CANARY;
    return data;
}

/* Where the pattern of a message begins: nothing of it comes in another one. */
static uint32_t pattern(const struct message *m)
{
    return mix(mix((uint32_t)(m->source * 64 + m->dest), (uint32_t)m->number),
               (uint32_t)m->round);
}

/* Buffers are whole words; the canary lies right behind the message. */
static void fill(const struct message *m)
{
    uint32_t x = pattern(m), *word = (uint32_t *)m->data;
    for (int i = 0; i < m->size; i += 4, x = x * 69069 + 1)
        *word++ = x;
    m->data[m->size] = CANARY;
}

static int is_wrong(const struct message *m)
{
    uint32_t x = pattern(m), last = 0;
    const uint32_t *word = (const uint32_t *)m->data;
    int i = 0;
    for (; i + 4 <= m->size; i += 4, x = x * 69069 + 1)
        if (*word++ != x)
            return 1;
    memcpy(&last, word, (size_t)(m->size - i));
    return last != (x & (m->size == i ? 0 : ~0u >> 8 * (i + 4 - m->size))) ||
           m->data[m->size] != CANARY;
}

static struct message in[MAX_IN], out[SENDS];
static iRCCE_RECV_REQUEST recv_request[MAX_IN];
static iRCCE_SEND_REQUEST send_request[SENDS];
static int ins, late[MAX_IN], posted[MAX_IN];

/* What comes to this UE; of each lower source the last few come late. */
static void expect(int round)
{
    ins = 0;
    for (int n = 1; n < ues; n++) {
        int source = (me + n) % ues;
        int cut = source < me ? (int)(mix(mix(seed, (uint32_t)round),
                                          (uint32_t)(source * 64 + me)) %
                                      (SENDS + 2))
                              : SENDS;
        for (int i = 0; i < SENDS; i++) {
            struct message m = make(source, i, round);
            if (m.dest != me)
                continue;
            m.data = allocate(m.size);
            late[ins] = i >= cut;
            posted[ins] = !late[ins];
            in[ins++] = m;
        }
    }
}

static int send_all(int round)
{
    int errors = 0;
    for (int i = 0; i < SENDS; i++) {
        struct message *m = &out[i];
        *m = make(me, i, round);
        m->data = allocate(m->size);
        sent_to[m->dest] = 1;
        fill(m);
        send_request[i].finished = 1;
        if (m->kind == 0)
            iRCCE_isend(m->data, m->size, m->dest, &send_request[i]);
        else if (m->kind == 1)
            iRCCE_issend(m->data, m->size, m->dest, &send_request[i]);
        else if (m->kind == 2)
            errors += RCCE_send(m->data, (size_t)m->size, m->dest) != 0;
        else
            errors += iRCCE_ssend(m->data, m->size, m->dest) != 0;
    }
    return errors;
}

/* Whatever has come, of each source in order: who waited for one source
 * alone might wait in a circle. */
static int receive_late(void)
{
    int errors = 0, left = 1;
    while (left) {
        int blocked[RCCE_MAXNP] = {0};
        left = 0;
        for (int i = 0; i < ins; i++) {
            struct message *m = &in[i];
            int done = 0;
            if (!late[i] || blocked[m->source])
                continue;
            if (m->kind & 1)
                errors += RCCE_recv_test(m->data, (size_t)m->size, m->source,
                                         &done) != 0;
            else
                errors +=
                    iRCCE_srecv_test(m->data, m->size, m->source, &done) != 0;
            late[i] = blocked[m->source] = !done;
            left |= !done;
        }
    }
    return errors;
}

static int one_round(int round)
{
    int errors = 0;
    used = 0;
    expect(round);
    for (int i = 0; i < ins; i++)
        if (posted[i])
            iRCCE_irecv(in[i].data, in[i].size, in[i].source, &recv_request[i]);
    errors += send_all(round);
    errors += receive_late();
    for (int i = 0; i < SENDS; i++)
        if (out[i].kind < 2)
            errors += iRCCE_isend_wait(&send_request[i]) != 0;
    for (int i = 0; i < ins; i++)
        if (posted[i])
            errors += iRCCE_irecv_wait(&recv_request[i]) != 0;
    for (int i = 0; i < ins; i++)
        errors += is_wrong(&in[i]);
    return errors;
}

/* A clock divider of 2 to 9 for the own tile. */
static void vary_clock(void)
{
    int fd = open("/dev/rckncm", O_RDWR | O_SYNC);
    volatile uint32_t *tile = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                                   MAP_SHARED, fd, (off_t)0xF8000000u);
    uint32_t divider = 2 + mix(seed, tile[0x100 / 4] >> 3) % 8;
    tile[0x80 / 4] =
        (tile[0x80 / 4] & ~0x3F80F00u) | (divider - 1) << 8 | divider * 7 << 19;
}

int RCCE_APP(int argc, char **argv)
{
    int counts[2] = {0}, total[2] = {0}, rest = 0;
    RCCE_init(&argc, &argv);
    iRCCE_init();
    me = RCCE_ue();
    ues = RCCE_num_ues();
    if (argc < 3 || ues < 2)
        return 2;
    seed = mix((uint32_t)atoi(argv[2]), 77);
    if (argc > 3)
        vary_clock();
    int rounds = (atoi(argv[1]) + ues * SENDS - 1) / (ues * SENDS);
    for (int round = 0; round < rounds; round++)
        counts[0] += one_round(round);
    iRCCE_barrier(&RCCE_COMM_WORLD);
    iRCCE_iprobe(iRCCE_ANY_SOURCE, NULL, &rest);
    counts[0] += rest;
    /* The reduction is made of messages: none of them may come before. */
    iRCCE_barrier(&RCCE_COMM_WORLD);
    for (int ue = 0; ue < ues; ue++)
        counts[1] += sent_to[ue];
    RCCE_reduce((char *)counts, (char *)total, 2, RCCE_INT, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    if (me == 0)
        printf("%d messages over %d pairs, %d wrong or left\n",
               rounds * ues * SENDS, total[1], total[0]);
    return RCCE_finalize();
}
