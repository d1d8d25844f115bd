// FT of class S on 16 cores.
// cc: -O3 -I${system}/programs ${system}/programs/ft/transform.c
// cc: ${system}/programs/ft/transpose.c -lnpb -lrcce
// run: -n 16 --tag none
// expect-match: ^FT class S on 16 cores: verification successful$
// slow: yes
#include <ft/ft.c>
