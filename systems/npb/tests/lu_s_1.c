// LU of class S on 1 core.
// cc: -O3 -I${system}/programs ${system}/programs/lu/grid.c
// cc: ${system}/programs/lu/rhs.c ${system}/programs/lu/start.c
// cc: ${system}/programs/lu/sweep.c -lnpb -lrcce
// run: -n 1 --tag none
// expect-match: ^LU class S on 1 cores: verification successful$
#include <lu/lu.c>
