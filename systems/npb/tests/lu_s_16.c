// LU of class S on 16 cores.
// cc: -O3 -I${system}/programs ${system}/programs/lu/grid.c
// cc: ${system}/programs/lu/rhs.c ${system}/programs/lu/start.c
// cc: ${system}/programs/lu/sweep.c -lnpb -lrcce
// run: -n 16 --tag none
// expect-match: ^LU class S on 16 cores: verification successful$
// slow: yes
#include <lu/lu.c>
