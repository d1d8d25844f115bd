/* RCCE_synch.c for bit flags. */
#define SINGLEBITFLAGS
#include "../synchronisation/RCCE_synch.c"
