/*
 * CG: the smallest eigenvalue of a sparse symmetric matrix by the inverse
 * power method, each step of it 25 conjugate-gradient iterations [npb-1994,
 * section 3.2.3]. Each core has rows of the matrix; the search direction is
 * gathered from all.
 */
#include "RCCE.h"
#include "RCCE_collectives.h"
#include "npb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 314159265ull
#define CONDITION 0.1
#define CG_ITERATIONS 25

struct class {
    char name;
    int rows, nonzeros, iterations;
    double shift, zeta;
};

static const struct class classes[] = {
    {'S', 1400, 7, 15, 10, 8.5971775078648},
    {'W', 7000, 8, 15, 12, 10.362595087124},
    {'A', 14000, 11, 15, 20, 17.130235054029},
    {'B', 75000, 13, 75, 60, 22.712745482631},
};

/* A sparse vector of the sum of outer products that the matrix is. */
struct sparse {
    int count;
    int *at;
    double *value;
};

static const struct class *class;
static int cores, me, first, rows, widest;
/* The core's rows: those of row i are from start[i] to start[i + 1]. */
static int *start, *column;
static double *element;
static double *x, *z, *p, *q, *r, *whole, *pieces;

static void *make(size_t count, size_t size)
{
    void *memory = calloc(count, size);

    if (!memory) {
        fprintf(stderr, "CG: core %d has no memory for class %c\n", me,
                class->name);
        exit(1);
    }
    return memory;
}

/* `nonzeros` random elements at places of their own, and 1/2 at `own`. */
static void random_vector(struct sparse *vector, uint64_t *state, int own)
{
    int power = 1, count = 0;

    while (power < class->rows)
        power *= 2;
    while (count < class->nonzeros) {
        double value = npb_random(state);
        int at = (int)(npb_random(state) * power), seen = 0;
        while (seen < count && vector->at[seen] != at)
            seen++;
        if (at < class->rows && seen == count) {
            vector->at[count] = at;
            vector->value[count++] = value;
        }
    }
    for (int i = 0; i < count; i++)
        if (vector->at[i] == own) {
            vector->value[i] = 0.5;
            vector->count = count;
            return;
        }
    vector->at[count] = own;
    vector->value[count] = 0.5;
    vector->count = count + 1;
}

/* Adds a product to one of the core's rows, whose columns are in order. */
static void add(int row, int at, double value)
{
    int length = start[row + 1];
    int *columns = column + row * widest, i = length;
    double *elements = element + row * widest;

    while (i > 0 && columns[i - 1] > at)
        i--;
    if (i > 0 && columns[i - 1] == at) {
        elements[i - 1] += value;
        return;
    }
    memmove(columns + i + 1, columns + i, (size_t)(length - i) * sizeof(int));
    memmove(elements + i + 1, elements + i,
            (size_t)(length - i) * sizeof(double));
    columns[i] = at;
    elements[i] = value;
    start[row + 1]++;
}

/* Adds `size` times the outer product of a vector with itself. */
static void add_product(const struct sparse *vector, int own, double size)
{
    for (int a = 0; a < vector->count; a++) {
        int row = vector->at[a] - first;
        if (row < 0 || row >= rows)
            continue;
        for (int b = 0; b < vector->count; b++) {
            double value = vector->value[b] * (size * vector->value[a]);
            if (vector->at[a] == own && vector->at[b] == own)
                value += CONDITION - class->shift;
            add(row, vector->at[b], value);
        }
    }
}

/* Rows that grew in places of their own follow each other. */
static void pack_rows(void)
{
    int end = 0;

    for (int row = 0; row < rows; row++) {
        int length = start[row + 1];
        memmove(column + end, column + row * widest,
                (size_t)length * sizeof(int));
        memmove(element + end, element + row * widest,
                (size_t)length * sizeof(double));
        start[row] = end;
        end += length;
    }
    start[rows] = end;
}

/* How many elements the longest of the core's rows may get: counted first. */
static int count_widest(struct sparse *vector)
{
    uint64_t state = SEED;
    int *counts = make((size_t)rows, sizeof(int)), most = 0;

    npb_random(&state);
    for (int i = 0; i < class->rows; i++) {
        random_vector(vector, &state, i);
        for (int a = 0; a < vector->count; a++) {
            int row = vector->at[a] - first;
            if (row >= 0 && row < rows)
                counts[row] += vector->count;
        }
    }
    for (int row = 0; row < rows; row++)
        most = counts[row] > most ? counts[row] : most;
    free(counts);
    return most;
}

static void make_matrix(void)
{
    size_t room = (size_t)class->nonzeros + 1;
    struct sparse vector = {0, make(room, sizeof(int)),
                            make(room, sizeof(double))};
    double size = 1, ratio = pow(CONDITION, 1.0 / class->rows);
    uint64_t state = SEED;

    widest = count_widest(&vector);
    start = make((size_t)rows + 1, sizeof(int));
    column = make((size_t)rows * (size_t)widest, sizeof(int));
    element = make((size_t)rows * (size_t)widest, sizeof(double));
    npb_random(&state);
    for (int i = 0; i < class->rows; i++, size *= ratio) {
        random_vector(&vector, &state, i);
        add_product(&vector, i, size);
    }
    pack_rows();
    free(vector.at);
    free(vector.value);
}

static double sum(double mine)
{
    double all;

    RCCE_coll_allreduce((char *)&mine, (char *)&all, 1, RCCE_DOUBLE, RCCE_SUM,
                        RCCE_COMM_WORLD);
    return all;
}

static double dot(const double *a, const double *b)
{
    double mine = 0;

    for (int i = 0; i < rows; i++)
        mine += a[i] * b[i];
    return sum(mine);
}

/* The whole of a vector of which each core has its rows. Parts differ by one
 * row at most: they are sent as long as the longest. */
static void gather(const double *mine)
{
    int longest = (class->rows + cores - 1) / cores;

    memset(pieces, 0, (size_t)longest * sizeof(double));
    memcpy(pieces, mine, (size_t)rows * sizeof(double));
    double *all = pieces + longest;
    size_t bytes = (size_t)longest * sizeof(double);
    RCCE_coll_gather((char *)pieces, (char *)all, bytes, 0, RCCE_COMM_WORLD);
    RCCE_coll_bcast((char *)all, bytes * (size_t)cores, 0, RCCE_COMM_WORLD);
    for (int core = 0; core < cores; core++) {
        int from = npb_first(class->rows, cores, core);
        int to = npb_first(class->rows, cores, core + 1);
        memcpy(whole + from, all + core * longest,
               (size_t)(to - from) * sizeof(double));
    }
}

/* result = A vector */
static void multiply(const double *vector, double *result)
{
    gather(vector);
    for (int row = 0; row < rows; row++) {
        double value = 0;
        for (int k = start[row]; k < start[row + 1]; k++)
            value += element[k] * whole[column[k]];
        result[row] = value;
    }
}

/* Solves A z = x. */
static void conjugate_gradient(void)
{
    size_t bytes = (size_t)rows * sizeof(double);

    memset(z, 0, bytes);
    memcpy(r, x, bytes);
    memcpy(p, x, bytes);
    double rho = dot(r, r);
    for (int step = 0; step < CG_ITERATIONS; step++) {
        multiply(p, q);
        double alpha = rho / dot(p, q), before = rho;
        for (int i = 0; i < rows; i++) {
            z[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        rho = dot(r, r);
        double beta = rho / before;
        for (int i = 0; i < rows; i++)
            p[i] = r[i] + beta * p[i];
    }
}

/* One step of the power method: the eigenvalue's estimate. */
static double step(void)
{
    conjugate_gradient();
    double zeta = class->shift + 1 / dot(x, z);
    double norm = 1 / sqrt(dot(z, z));
    for (int i = 0; i < rows; i++)
        x[i] = norm * z[i];
    return zeta;
}

static void set_ones(void)
{
    for (int i = 0; i < rows; i++)
        x[i] = 1;
}

/* As the benchmark counts: for each iteration of the power method. */
static double operations(void)
{
    double n = class->nonzeros * (class->nonzeros + 1);

    return 2.0 * class->iterations * class->rows *
           (3 + n + CG_ITERATIONS * (5 + n) + 3);
}

int RCCE_APP(int argc, char **argv)
{
    double zeta = 0;

    RCCE_init(&argc, &argv);
    char name = npb_class(argc, argv, "SWAB");
    if (!name)
        return 64;
    for (class = classes; class->name != name; class++)
        ;
    cores = RCCE_num_ues();
    me = RCCE_ue();
    first = npb_first(class->rows, cores, me);
    rows = npb_first(class->rows, cores, me + 1) - first;
    double **vectors[] = {&x, &z, &p, &q, &r};
    for (int i = 0; i < 5; i++)
        *vectors[i] = make((size_t)rows + 1, sizeof(double));
    whole = make((size_t)class->rows, sizeof(double));
    int longest = (class->rows + cores - 1) / cores;
    pieces = make((size_t)longest * ((size_t)cores + 1), sizeof(double));
    make_matrix();
    set_ones();
    step();
    set_ones();
    RCCE_barrier(&RCCE_COMM_WORLD);
    double begun = RCCE_wtime();
    for (int i = 0; i < class->iterations; i++)
        zeta = step();
    double seconds = RCCE_wtime() - begun;
    bool right = npb_is_close(zeta, class->zeta, 1e-10);
    int code = npb_report("CG", name, operations(), seconds, right);
    RCCE_finalize();
    return code;
}
