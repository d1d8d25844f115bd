// BT of class S on 4 cores, two iterations: the residual is that of one core,
// whose whole run is verified (bt_s_1.c).
// cc: -O3 -I${system}/programs ${system}/programs/bt/faces.c
// cc: ${system}/programs/bt/grid.c ${system}/programs/bt/rhs.c
// cc: ${system}/programs/bt/solve.c ${system}/programs/bt/start.c -lnpb
// cc: -lrcce
// run: -n 4 --tag none -- S 2
// expect-match: ^BT class S on 4 cores: 2 of 60 iterations, residual 2.59685452e\+04$
#include <bt/bt.c>
