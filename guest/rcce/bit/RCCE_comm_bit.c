/* RCCE_comm.c for bit flags. */
#define SINGLEBITFLAGS
#include "../groups/RCCE_comm.c"
