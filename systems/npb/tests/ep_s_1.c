// EP of class S on 1 core.
// cc: -O3 -I${system}/programs -lnpb -lrcce
// run: -n 1 --tag none
// expect-match: ^EP class S on 1 cores: verification successful$
// slow: yes
#include <ep.c>
