/* RCCE_comm.c for bit flags. */
#define SINGLEBITFLAGS
#include "../RCCE_comm.c"
