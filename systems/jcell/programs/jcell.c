/*
 * jcell.c: random insertions and deletions in an AVL tree of all cores.
 *
 *     jcell [TRANSACTIONS [KEYS [CACHE [DEPTH [LOG]]]]]
 *
 * TRANSACTIONS is over all cores. With LOG each core writes /LOG.UE: what its
 * transactions read, wrote and answered (systems/jcell/check.py reads it).
 */
#include "RCCE.h"
#include "jcell.h"

#include <stdlib.h>

struct work {
    int in, out;
    bool inserted, deleted;
};

enum { STRIDE = 7919 }; /* a prime that divides no number of keys */

static int header;

int jcell_header(void)
{
    return header;
}

/* A key's object is known by it. */
int jcell_create(int key)
{
    struct jcell_node *node = jcell_store(key);

    node->left = node->right = 0;
    node->key = (short)key;
    node->height = 1;
    return key;
}

void jcell_discard(int object)
{
    (void)object;
}

static void body(void *argument)
{
    struct work *work = argument;

    work->inserted = jcell_avl_insert(work->in);
    work->deleted = jcell_avl_delete(work->out);
}

/* At the start every second key is there (check.py knows it), put in by strides:
 * a tree out of a sorted row would be full, and change its heights up to the
 * root. */
static void plant(void *argument)
{
    int keys = *(int *)argument;

    unsigned half = (unsigned)keys / 2;

    for (unsigned i = 0; i < half; i++)
        jcell_avl_insert(2 + 2 * (int)(i * STRIDE % half));
}

static const char USAGE[] = "jcell [TRANSACTIONS [KEYS [CACHE [DEPTH [LOG]]]]]";

static void refuse(const char *word, const char *wanted)
{
    if (RCCE_ue() == 0)
        fprintf(stderr, "jcell: '%s': %s; %s\n", word, wanted, USAGE);
    exit(2);
}

static int argument(int argc, char **argv, int at, int otherwise, int most)
{
    static const char *const names[] = {0, "TRANSACTIONS", "KEYS", "CACHE",
                                        "DEPTH"};
    char wanted[64], *end;
    long value;

    if (argc <= at)
        return otherwise;
    value = strtol(argv[at], &end, 10);
    if (*end || end == argv[at] || value < 1 || value > most) {
        snprintf(wanted, sizeof wanted, "%s is a number from 1 to %d",
                 names[at], most);
        refuse(argv[at], wanted);
    }
    return (int)value;
}

static void report(int transactions)
{
    const struct jcell_counts *it = jcell_counts();

    printf("committed %ld of %d aborted %ld doomed %ld accesses %ld good %ld "
           "bad %ld written %ld mails %ld busy %ld hops",
           it->committed, transactions, it->aborted, it->doomed, it->accesses,
           it->good, it->bad, it->written, it->mails, it->busy);
    for (int i = 0; i < 8; i++)
        printf(" %ld", it->hops[i]);
    printf("\n");
}

int RCCE_APP(int argc, char **argv)
{
    char name[64];
    FILE *log = 0;

    RCCE_init(&argc, &argv);
    if (argc > 6)
        refuse(argv[6], "too many arguments");
    int all = argument(argc, argv, 1, 960, 10000000);
    int keys = argument(argc, argv, 2, 1000, JCELL_MOST_OBJECTS - 2);
    int cache = argument(argc, argv, 3, 50, JCELL_MOST_OBJECTS);
    int depth = argument(argc, argv, 4, 1, 250);
    int mine = all / RCCE_num_ues() + (RCCE_ue() < all % RCCE_num_ues());
    unsigned state = 2654435761u * (unsigned)(RCCE_ue() + 1);

    header = keys + 1;
    if (argc > 5) {
        snprintf(name, sizeof name, "/%s.%d", argv[5], RCCE_ue());
        log = fopen(name, "w");
        if (!log)
            refuse(name, "no such file can be made in the shared folder "
                         "(rck run --share FOLDER)");
    }
    if (!jcell_open(keys + 2, cache, depth, log)) {
        fprintf(stderr, "jcell: no room on core %d\n", RCCE_ue());
        return 1;
    }
    jcell_prepare(plant, &keys);
    for (int i = 0; i < mine; i++) {
        struct work work;

        state = state * 1664525u + 1013904223u;
        work.in = 1 + (int)((state >> 12) % (unsigned)keys);
        state = state * 1664525u + 1013904223u;
        work.out = 1 + (int)((state >> 12) % (unsigned)keys);
        jcell_transaction(body, &work);
        if (log)
            fprintf(log, "= %d %d %d %d\n", work.in, work.inserted, work.out,
                    work.deleted);
    }
    jcell_close();
    if (log)
        fclose(log);
    report(mine);
    RCCE_finalize();
    return jcell_counts()->committed == mine ? 0 : 1;
}
