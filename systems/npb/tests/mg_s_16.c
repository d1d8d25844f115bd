// MG of class S on 16 cores.
// cc: -O3 -I${system}/programs -lnpb -lrcce
// run: -n 16 --tag none
// expect-match: ^MG class S on 16 cores: verification successful$
#include <mg.c>
