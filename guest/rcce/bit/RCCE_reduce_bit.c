/* RCCE_reduce.c for bit flags. */
#define SINGLEBITFLAGS
#include "../groups/RCCE_reduce.c"
