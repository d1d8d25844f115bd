// LU of class S on 8 cores, two iterations: the residual is that of one core,
// whose whole run is verified (lu_s_1.c).
// cc: -O3 -I${system}/programs ${system}/programs/lu/grid.c
// cc: ${system}/programs/lu/rhs.c ${system}/programs/lu/start.c
// cc: ${system}/programs/lu/sweep.c -lnpb -lrcce
// run: -n 8 --tag none -- S 2
// expect-match: ^LU class S on 8 cores: 2 of 50 iterations, residual 1.31138636e\+04$
#include <lu/lu.c>
