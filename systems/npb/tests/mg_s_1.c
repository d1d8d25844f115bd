// MG of class S on 1 core.
// cc: -O3 -I${system}/programs ${system}/programs/mg/charges.c
// cc: ${system}/programs/mg/grid.c -lnpb -lrcce
// run: -n 1 --tag none
// expect-match: ^MG class S on 1 cores: verification successful$
#include <mg/mg.c>
