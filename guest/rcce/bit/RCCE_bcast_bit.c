/* RCCE_bcast.c for bit flags. */
#define SINGLEBITFLAGS
#include "../RCCE_bcast.c"
