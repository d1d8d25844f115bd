// CG of class S on 16 cores.
// cc: -O3 -I${system}/programs -lnpb -lrcce
// run: -n 16 --tag none
// expect-match: ^CG class S on 16 cores: verification successful$
// slow: yes
#include <cg.c>
