/* RCCE_bcast.c for bit flags. */
#define SINGLEBITFLAGS
#include "../groups/RCCE_bcast.c"
