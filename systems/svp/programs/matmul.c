/*
 * matmul.c: square matrices of doubles, split into quarters once or twice;
 * the products of quarters are families on other places [marc-2011, SVP,
 * IV-A2].
 *
 *     matmul TRANSPORT COPY_CORES SIZE HOW PLACES
 *
 * HOW: alone    one core, not split: what speed-ups are measured against
 *      one      8 products, all created by the first place
 *      two      64 products, all created by the first place
 *      spread   8 families on other places, each of which creates 8 products
 *
 * A matrix is an array of pointers to its rows, which lie behind each other in
 * one piece. A quarter is an array of pointers into the same rows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "transport.h"

struct product {
    int size, steps, first; /* place, of those that take part */
    int places;
    double **a, **b, **c;
};

static void describe(struct svp_data *data, void *arguments)
{
    struct product *p = arguments;

    SVP_INPUT(data, p->size);
    SVP_INPUT(data, p->steps);
    SVP_INPUT(data, p->first);
    SVP_INPUT(data, p->places);
    SVP_ROOM(data, p->a, (size_t)p->size);
    SVP_ROOM(data, p->b, (size_t)p->size);
    SVP_ROOM(data, p->c, (size_t)p->size);
    for (int row = 0; row < p->size; row++) {
        SVP_INPUTS(data, p->a[row], (size_t)p->size);
        SVP_INPUTS(data, p->b[row], (size_t)p->size);
        SVP_OUTPUTS(data, p->c[row], (size_t)p->size);
    }
}

static double **new_matrix(int size)
{
    double **rows = svp_alloc((size_t)size * sizeof *rows);
    double *all = svp_alloc((size_t)size * (size_t)size * sizeof *all);

    for (int row = 0; row < size; row++)
        rows[row] = all + row * size;
    return rows;
}

static void free_matrix(double **rows)
{
    svp_free(rows[0]);
    svp_free(rows);
}

/* Pointers to a quarter's rows, above or below, left or right. */
static double **quarter(double **rows, int size, int below, int right)
{
    double **part = svp_alloc((size_t)(size / 2) * sizeof *part);

    for (int row = 0; row < size / 2; row++)
        part[row] = rows[row + below * size / 2] + right * size / 2;
    return part;
}

/* All programs' kernel: along the rows. */
static void multiply(const struct product *p)
{
    for (int i = 0; i < p->size; i++) {
        double *c = p->c[i];

        for (int j = 0; j < p->size; j++) {
            (void)*(volatile double *)&c[j]; /* stores allocate no line */
            c[j] = 0;
        }
        for (int k = 0; k < p->size; k++) {
            double a = p->a[i][k];
            const double *b = p->b[k];

            for (int j = 0; j < p->size; j++)
                c[j] += a * b[j];
        }
    }
}

static void split(struct product *p);

static void run(int index, void *arguments)
{
    struct product *p = arguments;

    (void)index;
    if (p->steps)
        split(p);
    else
        multiply(p);
}

static const struct svp_function product = {.name = "product",
                                            .run = run,
                                            .describe = describe,
                                            .arguments =
                                                sizeof(struct product)};

/* Of one of the eight products of a split matrix: quarter (n / 4, n / 2 % 2)
 * of C is the sum of two. */
struct eight {
    struct product *whole;
    struct product part[8];
};

static int spread; /* the next step is made by the place of the product */

static void one_of_eight(int index, void *arguments)
{
    struct eight *eight = arguments;
    struct product *whole = eight->whole, *p = &eight->part[index];
    int below = index / 4, right = index / 2 % 2, middle = index % 2;

    *p = (struct product){.size = whole->size / 2,
                          .steps = whole->steps - 1,
                          .places = whole->places};
    p->first = whole->first + (p->steps ? 8 * index : index);
    p->a = quarter(whole->a, whole->size, below, middle);
    p->b = quarter(whole->b, whole->size, middle, right);
    p->c = new_matrix(p->size);
    if (p->steps && !spread) {
        split(p);
    } else {
        svp_family family;

        svp_create(&family, svp_place_of(1 + p->first % p->places), 0, 1, 1, 0,
                   &product, p);
        svp_sync(&family);
    }
    svp_free(p->a);
    svp_free(p->b);
}

static const struct svp_function products = {.name = "products",
                                             .run = one_of_eight};

static void add_two(int index, void *arguments)
{
    struct eight *eight = arguments;
    struct product *low = &eight->part[2 * index], *high = low + 1;
    int size = low->size;
    double **c = quarter(eight->whole->c, 2 * size, index / 2, index % 2);

    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++) {
            (void)*(volatile double *)&c[row][column];
            c[row][column] = low->c[row][column] + high->c[row][column];
        }
    free_matrix(low->c);
    free_matrix(high->c);
    svp_free(c);
}

static const struct svp_function sums = {.name = "sums", .run = add_two};

static void split(struct product *p)
{
    struct eight *eight = svp_alloc(sizeof *eight);
    svp_family family;

    eight->whole = p;
    svp_create(&family, SVP_HERE, 0, 8, 1, 8, &products, eight);
    svp_sync(&family);
    svp_create(&family, SVP_HERE, 0, 4, 1, 4, &sums, eight);
    svp_sync(&family);
    svp_free(eight);
}

/* C x = A (B x) for a vector: exact, since all numbers are small and whole. */
static int right(const struct product *p)
{
    double *x = calloc(2 * (size_t)p->size, sizeof *x), *y = x + p->size;
    int wrong = 0;

    for (int i = 0; i < p->size; i++)
        for (int k = 0; k < p->size; k++)
            y[i] += p->b[i][k] * (k % 3 + 1);
    for (int i = 0; i < p->size; i++) {
        double expected = 0, found = 0;

        for (int k = 0; k < p->size; k++) {
            expected += p->a[i][k] * y[k];
            found += p->c[i][k] * (k % 3 + 1);
        }
        wrong += found != expected;
    }
    free(x);
    return !wrong;
}

int main(int argc, char **argv)
{
    static const char *const ways[] = {"alone", "one", "two", "spread"};
    static const int steps[] = {0, 1, 2, 2};
    struct product p = {0};
    int how = 0;

    while (argc == 6 && how < 4 && strcmp(argv[4], ways[how]))
        how++;
    if (argc != 6 || how == 4) {
        fprintf(stderr, "matmul TRANSPORT COPY_CORES SIZE HOW PLACES\n"
                        "HOW: alone, one, two or spread\n");
        return 2;
    }
    spread = how == 3;
    svp_start(transport_of(argv[1]), atoi(argv[2]));
    p.size = atoi(argv[3]);
    p.steps = steps[how];
    p.places = atoi(argv[5]);
    p.a = new_matrix(p.size);
    p.b = new_matrix(p.size);
    p.c = new_matrix(p.size);
    for (int i = 0; i < p.size; i++)
        for (int j = 0; j < p.size; j++) {
            p.a[i][j] = (i * 3 + j) % 7;
            p.b[i][j] = (i + j * 5) % 11;
            p.c[i][j] = -1;
        }
    double start = svp_seconds();
    run(0, &p);
    double time = svp_seconds() - start;
    int good = right(&p);

    free_matrix(p.a);
    free_matrix(p.b);
    free_matrix(p.c);
    int left = svp_end();
    printf("%s %d %.0f %s\n", ways[how], p.size, time * 1e6,
           good && !left ? "right" : "wrong");
    return !good || left;
}
