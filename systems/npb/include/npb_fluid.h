/*
 * npb_fluid.h: the equations that BT and LU solve [npb-1994, section 4.3]:
 * the flow of a compressible gas in a cube. A point's five unknowns are
 * density, momentum along x, y and z, and energy.
 */
#ifndef NPB_FLUID_H
#define NPB_FLUID_H

#include <stdbool.h>

typedef double npb_point[5];
typedef double npb_block[5][5];

/* A class: its official residual and error, and the result of LU's surface
 * integral. */
struct npb_fluid_class {
    char name;
    int points, iterations; /* points on each axis */
    double step;            /* time step */
    npb_point residual, error;
    double surface;
};

/* The description of a program, BT or LU. `classes`: S, W, A and B. */
struct npb_fluid_program {
    const char *name;
    const struct npb_fluid_class *classes;
    double *step; /* time step; set before `allocate` */
    /* Splits the grid for core `me` of `cores`. Returns null, or the reason why
     * so many cores cannot split it. */
    const char *(*split)(int points, int cores, int me);
    bool (*allocate)(void);    /* false: not enough memory */
    void (*set_forcing)(void); /* the forcing term, once */
    void (*start)(void);       /* the initial solution */
    void (*iterate)(void);     /* one time step */
    /* Norms over all points and cores, by unknown: of the residual; of the
     * difference from the exact solution. */
    void (*residual)(npb_point norm);
    void (*error)(npb_point norm);
    double (*surface)(void); /* null: the program computes none */
    /* The number of operations, as the benchmark defines it. */
    double (*operations)(double points, int iterations);
};

/* Runs the whole program, from RCCE_init on; collective. One iteration before
 * is not timed. Returns the exit code: 64 for a wrong class, number of
 * iterations or number of cores; else as npb_report_iterations. */
int npb_fluid_run(const struct npb_fluid_program *program, int argc,
                  char **argv);

/* Axes; also the indices of their momenta in a point's unknowns. */
enum { NPB_X = 1, NPB_Y = 2, NPB_Z = 3 };

/* Constants of the gas: c1 to c5, and products of them. */
#define NPB_C1 1.4
#define NPB_C2 0.4
#define NPB_C34 0.1
#define NPB_C15 (1.4 * 1.4)
#define NPB_C1345 (NPB_C34 * NPB_C15)
/* The factor of the fourth differences that keep the solution smooth. */
#define NPB_SMOOTHING 0.25

/* The factor of the second differences, along an axis. */
static inline double npb_diffusion(int axis)
{
    return axis == NPB_Z ? 1.0 : 0.75;
}

/* Viscosity of momentum `m` along an axis. */
static inline double npb_viscosity(int m, int axis)
{
    return m == axis ? NPB_C34 * 4 / 3 : NPB_C34;
}

/* The exact solution at a point of the unit cube. The forcing term makes it a
 * steady solution. */
void npb_exact(double x, double y, double z, npb_point u);

/* The initial solution, interpolated between the exact values on the cube's
 * faces. */
void npb_initial(double x, double y, double z, npb_point u);

/* Computes the Jacobians of the flux along an axis at unknowns `u`: of its
 * inviscid and its viscous part. `r1` is 1 / density, `q` half the square of
 * the speed. */
static inline __attribute__((always_inline)) void
npb_jacobians(npb_block inviscid, npb_block viscous, const npb_point u,
              double r1, double q, int axis)
{
    double r2 = r1 * r1, r3 = r1 * r2;
    double speed = u[axis] * r1, heat = 0;

    for (int m = 0; m < 5; m++) {
        inviscid[0][m] = m == axis;
        viscous[0][m] = 0;
    }
    for (int m = 1; m < 4; m++) {
        inviscid[m][0] = (m == axis ? NPB_C2 * q : 0) - u[m] * u[axis] * r2;
        viscous[m][0] = -npb_viscosity(m, axis) * r2 * u[m];
        for (int l = 1; l < 4; l++) {
            inviscid[m][l] = (l == axis ? u[m] * r1 : 0) +
                             (l == m ? speed : 0) -
                             (m == axis ? NPB_C2 * (u[l] * r1) : 0);
            viscous[m][l] = l == m ? npb_viscosity(m, axis) * r1 : 0;
        }
        inviscid[m][4] = m == axis ? NPB_C2 : 0;
        viscous[m][4] = 0;
        double factor = npb_viscosity(m, axis) - NPB_C1345;
        heat += factor * (u[m] * u[m]);
        inviscid[4][m] = (m == axis ? NPB_C1 * (u[4] * r1) - NPB_C2 * q : 0) -
                         NPB_C2 * (u[m] * u[axis] * r2);
        viscous[4][m] = factor * r2 * u[m];
    }
    inviscid[4][0] = (2 * NPB_C2 * q - NPB_C1 * (u[4] * r1)) * speed;
    inviscid[4][4] = NPB_C1 * speed;
    viscous[4][0] = -heat * r3 - NPB_C1345 * r2 * u[4];
    viscous[4][4] = NPB_C1345 * r1;
}

#endif
