// MG of class S on 16 cores.
// cc: -O3 -I${system}/programs ${system}/programs/mg/charges.c
// cc: ${system}/programs/mg/grid.c -lnpb -lrcce
// run: -n 16 --tag none
// expect-match: ^MG class S on 16 cores: verification successful$
#include <mg/mg.c>
