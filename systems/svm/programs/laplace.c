/*
 * laplace.c: the Laplace problem by Jacobi over-relaxation, in the variants
 * of [marc-2011]: a plate with fixed edges, two arrays, a barrier after each
 * iteration.
 *
 *   laplace VARIANT [ROWS COLUMNS ITERATIONS]
 *
 * VARIANT is lazy, strong1, strong4 (shared memory; the strong model with all
 * of it behind one memory controller or spread over four), mp (private memory,
 * rows exchanged by iRCCE) or awaited: as mp, but a core waits for each store,
 * which goes past the caches. That one is for its time alone: a line that a
 * cache has kept is an old one. One iteration runs before the clock. UE 0
 * prints: variant, UEs, microseconds of the iterations, a checksum of the bits
 * of all values, page faults of all UEs, requests passed on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "iRCCE.h"
#include "scc/map.h"
#include "svm.h"

#define SLOT 0x1000000u /* shared memory behind each controller */
#define FREE 0x400000u  /* of a slot from here on, if no page is shared */

static int rows = 1024, columns = 512, iterations = 4;
static int rank, ranks, first, last; /* rows of this UE: first..last - 1 */
static ptrdiff_t written_at;         /* from where the same memory is read */

/* Rows old[-1] to old[n] are read, new[0] to new[n - 1] written. */
static void sweep(double *new, const double *old, int row, int end)
{
    for (; row < end; row++) {
        const double *at = old + (size_t)row * columns;
        double *to =
            (double *)((char *)(new + (size_t)row * columns) + written_at);

        for (int x = 1; x < columns - 1; x++)
            to[x] = 0.25 *
                    (at[x - columns] + at[x + columns] + at[x - 1] + at[x + 1]);
    }
}

/* Hot above, cold below, in between something uneven. */
static void start_row(double *row, int y)
{
    for (int x = 0; x < columns; x++)
        row[x] = y == 0 ? 100.0 : (x * 7 + y * 13) % 32;
}

static int inner(int row)
{
    return row < 1 ? 1 : row > rows - 1 ? rows - 1 : row;
}

static uint32_t bits_of(const double *from, int count)
{
    const uint32_t *words = (const uint32_t *)from;
    uint32_t sum = 0;

    for (int n = 0; n < 2 * count; n++)
        sum += words[n];
    return sum;
}

/* Sends the own first and last row, gets the ones above and below. */
static void exchange(double *grid)
{
    size_t bytes = (size_t)columns * sizeof(double);
    iRCCE_SEND_REQUEST up, down;
    iRCCE_RECV_REQUEST above, below;
    char *own = (char *)(grid + (size_t)first * columns);
    char *end = (char *)(grid + (size_t)last * columns);

    if (rank > 0) {
        iRCCE_isend(own, (ssize_t)bytes, rank - 1, &up);
        iRCCE_irecv(own - bytes, (ssize_t)bytes, rank - 1, &above);
    }
    if (rank < ranks - 1) {
        iRCCE_isend(end - bytes, (ssize_t)bytes, rank + 1, &down);
        iRCCE_irecv(end, (ssize_t)bytes, rank + 1, &below);
    }
    if (rank > 0) {
        iRCCE_isend_wait(&up);
        iRCCE_irecv_wait(&above);
    }
    if (rank < ranks - 1) {
        iRCCE_isend_wait(&down);
        iRCCE_irecv_wait(&below);
    }
}

/* The private form: only the own rows and one on each side exist. */
static double *private_grid(void)
{
    int from = first - 1, count = last - first + 2;
    double *memory = malloc((size_t)count * columns * sizeof(double));

    if (!memory) {
        fprintf(stderr, "laplace: no memory\n");
        exit(1);
    }
    return memory - (ptrdiff_t)from * columns;
}

/* Memory for both arrays of this UE, behind controller number rank modulo 4. */
static char *memory_of(enum scc_memory type, size_t bytes)
{
    size_t place = FREE + (size_t)(rank / 4) * bytes;
    uint32_t slot = SCC_SHARED_BASE + (uint32_t)rank % 4 * SLOT;
    char *memory = place + bytes > SLOT
                       ? NULL
                       : scc_map(type, slot + (uint32_t)place, bytes);

    if (!memory) {
        fprintf(stderr, "laplace: no %zu bytes off-die; use fewer rows\n",
                bytes);
        exit(1);
    }
    return memory;
}

/* The private form, read through the caches and written past them. */
static double *awaited_grid(void)
{
    static char *next;
    size_t row = (size_t)columns * sizeof(double);
    size_t bytes = (size_t)(rows / ranks + 3) * row;

    bytes += -bytes % SVM_PAGE;
    if (!next) {
        next = memory_of(SCC_CACHED, 2 * bytes);
        written_at = memory_of(SCC_UNCACHED, 2 * bytes) - next;
    }
    next += bytes;
    return (double *)(void *)(next - bytes) - (ptrdiff_t)(first - 1) * columns;
}

static void iterate(double **old, double **new, int messages, int count)
{
    for (int n = 0; n < count; n++) {
        double *other = *old;

        sweep(*new, *old, inner(first), inner(last));
        *old = *new;
        *new = other;
        if (messages) {
            exchange(*old);
            RCCE_barrier(&RCCE_COMM_WORLD);
        } else {
            svm_barrier();
        }
    }
}

static void report(const char *variant, double *old, double seconds)
{
    const struct svm_counts *counts = svm_counts();
    int mine[3], sums[3];

    mine[0] =
        (int)bits_of(old + (size_t)first * columns, (last - first) * columns);
    mine[1] = (int)counts->faults;
    mine[2] = (int)counts->forwarded;
    RCCE_reduce((char *)mine, (char *)sums, 3, RCCE_INT, RCCE_SUM, 0,
                RCCE_COMM_WORLD);
    if (rank == 0)
        printf("%s %d %.0f %08x %d %d\n", variant, ranks, seconds * 1e6,
               (unsigned)sums[0], sums[1], sums[2]);
}

int main(int argc, char **argv)
{
    double *old, *new, start;
    size_t bytes;
    int messages, awaited;

    RCCE_init(&argc, &argv);
    iRCCE_init();
    rank = RCCE_ue();
    ranks = RCCE_num_ues();
    const char *variant = argc > 1 ? argv[1] : "lazy";
    if (argc > 4) {
        rows = atoi(argv[2]);
        columns = atoi(argv[3]);
        iterations = atoi(argv[4]);
    }
    first = rows * rank / ranks;
    last = rows * (rank + 1) / ranks;
    awaited = strcmp(variant, "awaited") == 0;
    messages = awaited || strcmp(variant, "mp") == 0;
    if (rows < ranks || columns < 3 ||
        (!messages && strcmp(variant, "lazy") && strncmp(variant, "strong", 6)))
        return 64;
    bytes = (size_t)rows * columns * sizeof(double);
    svm_init();
    if (messages) {
        old = awaited ? awaited_grid() : private_grid();
        new = awaited ? awaited_grid() : private_grid();
    } else {
        enum svm_model model = variant[0] == 'l' ? SVM_LAZY : SVM_STRONG;
        int controllers = strcmp(variant, "strong1") == 0 ? 1 : 4;

        old = svm_alloc(bytes, model, controllers);
        new = svm_alloc(bytes, model, controllers);
    }
    for (int y = first; y < last; y++) {
        start_row(old + (size_t)y * columns, y);
        start_row(new + (size_t)y * columns, y);
    }
    if (messages)
        exchange(old);
    svm_barrier();
    iterate(&old, &new, messages, 1);
    start = RCCE_wtime();
    iterate(&old, &new, messages, iterations);
    report(variant, old, RCCE_wtime() - start);
    svm_finalize();
    RCCE_finalize();
    return 0;
}
