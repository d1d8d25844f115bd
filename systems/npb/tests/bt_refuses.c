// A number of cores that BT cannot use.
// cc: -O3 -I${system}/programs ${system}/programs/bt/faces.c
// cc: ${system}/programs/bt/grid.c ${system}/programs/bt/rhs.c
// cc: ${system}/programs/bt/solve.c ${system}/programs/bt/start.c -lnpb
// cc: -lrcce
// run: -n 3 -q --tag none
// expect-exit: 64
// expect-stderr: bt_refuses: on 3 cores: the number of cores must be a square
#include <bt/bt.c>
