// BT of class S on 36 cores.
// cc: -O3 -I${system}/programs ${system}/programs/bt/faces.c
// cc: ${system}/programs/bt/grid.c ${system}/programs/bt/rhs.c
// cc: ${system}/programs/bt/solve.c ${system}/programs/bt/start.c -lnpb
// cc: -lrcce
// run: -n 36 --tag none
// expect-match: ^BT class S on 36 cores: verification successful$
// slow: yes
#include <bt/bt.c>
