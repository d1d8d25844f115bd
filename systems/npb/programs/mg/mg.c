/*
 * MG: a discrete Poisson equation by V-cycles of a multigrid method
 * [npb-1994, section 3.2.2]. Each core has planes of a grid; when each has one
 * left, the coarser grids are computed by all alike.
 */
#include "RCCE.h"
#include "RCCE_collectives.h"
#include "mg.h"
#include "npb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LEVELS 8
#define MOST_ROW (256 + 2)

struct class {
    char name;
    int levels, iterations;
    /* The smoother's weights: of a point, its 6 and its 12 neighbours. */
    double smoother[3], norm;
};

static const struct class classes[] = {
    {'S', 5, 4, {-3.0 / 8, 1.0 / 32, -1.0 / 64}, 0.5307707005734e-04},
    {'W', 7, 4, {-3.0 / 8, 1.0 / 32, -1.0 / 64}, 0.6467329375339e-05},
    {'A', 8, 4, {-3.0 / 8, 1.0 / 32, -1.0 / 64}, 0.2433365309069e-05},
    {'B', 8, 20, {-3.0 / 17, 1.0 / 33, -1.0 / 61}, 0.1800564401355e-05},
};

static const struct class *class;
static struct level levels[MOST_LEVELS + 1];
struct level *top;
double *v;
int cores, me;

static double *make(size_t count)
{
    double *memory = calloc(count, sizeof(double));

    if (!memory) {
        fprintf(stderr, "MG: core %d has no memory for class %c\n", me,
                class->name);
        exit(1);
    }
    return memory;
}

static void make_levels(void)
{
    for (int i = 1; i <= class->levels; i++) {
        struct level *level = levels + i;
        level->n = 1 << i;
        level->shared = level->n < cores;
        level->planes = level->shared ? level->n : level->n / cores;
        level->first = level->shared ? 0 : level->planes * me;
        level->u = make(mg_numbers(level));
        level->r = make(mg_numbers(level));
    }
    top = levels + class->levels;
    v = make(mg_numbers(top));
}

/* Sums over a row's four nearest rows, and over the four at its corners. */
static void add_rows(const struct level *level, double *array, int k, int j,
                     double *restrict near, double *restrict corner)
{
    const double *up = row(level, array, k, j - 1);
    const double *down = row(level, array, k, j + 1);
    const double *front = row(level, array, k - 1, j);
    const double *back = row(level, array, k + 1, j);
    int width = level->n + 2;

    for (int i = -1; i <= level->n; i++) {
        near[i + 1] = up[i] + down[i] + front[i] + back[i];
        corner[i + 1] = front[i - width] + front[i + width] + back[i - width] +
                        back[i + width];
    }
}

/* r = right - A u; the operator's weight of the six nearest points is 0. */
static void residual(const struct level *level, double *u, double *right,
                     double *r)
{
    static double near[MOST_ROW], corner[MOST_ROW];

    for (int k = 0; k < level->planes; k++)
        for (int j = 0; j < level->n; j++) {
            const double *from = row(level, u, k, j);
            const double *of = row(level, right, k, j);
            double *to = row(level, r, k, j);
            add_rows(level, u, k, j, near, corner);
            for (int i = 0; i < level->n; i++)
                to[i] = of[i] + 8.0 / 3 * from[i] -
                        1.0 / 6 * (corner[i + 1] + near[i] + near[i + 2]) -
                        1.0 / 12 * (corner[i] + corner[i + 2]);
        }
    mg_exchange(level, r);
}

/* u += S r */
static void smooth(const struct level *level)
{
    static double near[MOST_ROW], corner[MOST_ROW];
    double c0 = class->smoother[0], c1 = class->smoother[1];
    double c2 = class->smoother[2];

    for (int k = 0; k < level->planes; k++)
        for (int j = 0; j < level->n; j++) {
            const double *from = row(level, level->r, k, j);
            double *to = row(level, level->u, k, j);
            add_rows(level, level->r, k, j, near, corner);
            for (int i = 0; i < level->n; i++)
                to[i] += c0 * from[i] +
                         c1 * (from[i - 1] + from[i + 1] + near[i + 1]) +
                         c2 * (corner[i + 1] + near[i] + near[i + 2]);
        }
    mg_exchange(level, level->u);
}

/* Cores that have one plane each give those of a coarser grid to all. */
static void share_planes(const struct level *coarse)
{
    size_t bytes = mg_plane(coarse) * sizeof(double);

    for (int k = 0; k < coarse->n; k++) {
        double *plane = row(coarse, coarse->r, k, -1) - 1;
        RCCE_coll_bcast((char *)plane, bytes, 2 * k + 1, RCCE_COMM_WORLD);
    }
}

/* The residual on the next coarser grid: its point q is at 2 q + 1. */
static void restrict_residual(const struct level *fine,
                              const struct level *coarse)
{
    static double near[MOST_ROW], corner[MOST_ROW];

    for (int k = (fine->first + 1) % 2; k < fine->planes; k += 2)
        for (int j = 0; j < coarse->n; j++) {
            const double *from = row(fine, fine->r, k, 2 * j + 1);
            int plane = (fine->first + k) / 2 - coarse->first;
            double *to = row(coarse, coarse->r, plane, j);
            add_rows(fine, fine->r, k, 2 * j + 1, near, corner);
            for (int i = 0; i < coarse->n; i++) {
                int p = 2 * i + 1;
                to[i] = 0.5 * from[p] +
                        0.25 * (from[p - 1] + from[p + 1] + near[p + 1]) +
                        0.125 * (near[p] + near[p + 2] + corner[p + 1]) +
                        0.0625 * (corner[p] + corner[p + 2]);
            }
        }
    if (coarse->shared && !fine->shared)
        share_planes(coarse);
    mg_exchange(coarse, coarse->r);
}

/* Adds the coarse grid's solution to the fine one's, linearly between its
 * points: the fine point 2 q + 1 is at q, 2 q between q - 1 and q. */
static void interpolate(const struct level *coarse, const struct level *fine)
{
    static double sum[MOST_ROW];

    for (int k = 0; k < fine->planes; k++)
        for (int j = 0; j < fine->n; j++) {
            int global = fine->first + k;
            int plane = global / 2 - coarse->first;
            const double *here = row(coarse, coarse->u, plane, j / 2);
            int back = global % 2 ? 0 : coarse->n + 2, up = 0;
            back *= coarse->n + 2;
            if (j % 2 == 0)
                up = coarse->n + 2;
            double weight = (back ? 0.5 : 1) * (up ? 0.5 : 1);
            for (int i = -1; i < coarse->n; i++) {
                double value = here[i];
                if (back)
                    value += here[i - back];
                if (up)
                    value += here[i - up];
                if (back && up)
                    value += here[i - back - up];
                sum[i + 1] = weight * value;
            }
            double *to = row(fine, fine->u, k, j);
            for (int i = 0; i < coarse->n; i++) {
                to[2 * i] += 0.5 * (sum[i] + sum[i + 1]);
                to[2 * i + 1] += sum[i + 1];
            }
        }
    mg_exchange(fine, fine->u);
}

/* One V-cycle, from the residual of the finest grid. */
static void cycle(void)
{
    struct level *level = top;

    for (; level > levels + 1; level--)
        restrict_residual(level, level - 1);
    memset(level->u, 0, mg_numbers(level) * sizeof(double));
    smooth(level);
    for (level++; level < top; level++) {
        memset(level->u, 0, mg_numbers(level) * sizeof(double));
        interpolate(level - 1, level);
        residual(level, level->u, level->r, level->r);
        smooth(level);
    }
    interpolate(top - 1, top);
    residual(top, top->u, v, top->r);
    smooth(top);
}

static double norm(void)
{
    double mine = 0, all;

    for (int k = 0; k < top->planes; k++)
        for (int j = 0; j < top->n; j++) {
            const double *r = row(top, top->r, k, j);
            for (int i = 0; i < top->n; i++)
                mine += r[i] * r[i];
        }
    RCCE_coll_allreduce((char *)&mine, (char *)&all, 1, RCCE_DOUBLE, RCCE_SUM,
                        RCCE_COMM_WORLD);
    return sqrt(all / pow(top->n, 3));
}

static void iterate(int iterations)
{
    memset(top->u, 0, mg_numbers(top) * sizeof(double));
    residual(top, top->u, v, top->r);
    for (int i = 0; i < iterations; i++) {
        cycle();
        residual(top, top->u, v, top->r);
    }
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    char name = npb_class(argc, argv, "SWAB");
    if (!name)
        return 64;
    for (class = classes; class->name != name; class++)
        ;
    cores = RCCE_num_ues();
    me = RCCE_ue();
    if (cores & (cores - 1) || cores > 1 << class->levels)
        return npb_refuse(argv[0],
                          "the number of cores must be a power of two");
    make_levels();
    mg_set_charges(1);
    mg_set_charges(-1);
    mg_exchange(top, v);
    iterate(1);
    RCCE_barrier(&RCCE_COMM_WORLD);
    double begun = RCCE_wtime();
    iterate(class->iterations);
    double found = norm(), seconds = RCCE_wtime() - begun;
    bool right = npb_is_close(found, class->norm, 1e-8);
    double operations = 58.0 * class->iterations * pow(top->n, 3);
    int code = npb_report("MG", name, operations, seconds, right);
    RCCE_finalize();
    return code;
}
