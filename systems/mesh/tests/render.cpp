// The example on three cores; test_mesh.py compares it with its RCCE twin.
// cc: -O2 -I${system}/programs -lmesh -lrcce
// run: -n 3 --tag none -- 16
// expect-stdout:
// 16 rows, checksum 01e07f47
#include <render.cpp>
