/* RCCE_synch.c for bit flags. */
#define SINGLEBITFLAGS
#include "../RCCE_synch.c"
