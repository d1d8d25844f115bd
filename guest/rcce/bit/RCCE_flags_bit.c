/* RCCE_flags.c for bit flags. */
#define SINGLEBITFLAGS
#include "../synchronisation/RCCE_flags.c"
