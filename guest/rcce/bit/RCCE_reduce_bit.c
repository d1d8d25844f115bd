/* RCCE_reduce.c for bit flags. */
#define SINGLEBITFLAGS
#include "../RCCE_reduce.c"
