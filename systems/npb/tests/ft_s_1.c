// FT of class S on 1 core.
// cc: -O3 -I${system}/programs ${system}/programs/ft/transform.c
// cc: ${system}/programs/ft/transpose.c -lnpb -lrcce
// run: -n 1 --tag none
// expect-match: ^FT class S on 1 cores: verification successful$
#include <ft/ft.c>
