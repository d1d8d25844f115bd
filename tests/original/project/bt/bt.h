/*
 * A solver in the manner of the NAS benchmark BT, on a cube of 12 points a
 * side (its class S): five coupled unknowns at a point, implicit steps that
 * solve block-tridiagonal systems along x, y and z in turn. The UEs form a
 * square of Q by Q; the cube is cut into Q cells a side, and each UE has Q
 * cells on a diagonal, so that all of them work in every stage of a sweep.
 */
#ifndef BT_H
#define BT_H

#define N 12
#define M 5
#define MAXQ 4
#define K (N + 2)

typedef double field[MAXQ][K][K][K][M];

/* Q, the points of a cell's side, the own place in the square. */
extern int q, side, my_row, my_column;
/* Unknowns, the exact solution, what changes the unknowns, the source. */
extern field u, exact, rhs, source;

/* A cell's place along axis d; the own cell at a place. */
int place_of(int cell, int d);
int cell_at(int place, int d);
/* The point `l` along axis d, `a` and `b` along the others; 0 is ghost. */
double *at(field f, int cell, int d, int l, int a, int b);

void exchange_start(int me);
/* Sends forward (or backward) along axis d, and receives from behind. */
void shift(int d, int forward, double *out, double *in, int count);
void copy_faces(field f);

void set_up(void);
void jacobian(const double *v, int d, double j[M][M]);
void compute_rhs(field f);
double norm(field a, field b, int m);

void sweep(int d);

#define NU 0.1
#define DT 0.02
#define H (1.0 / (N + 1))

#endif
