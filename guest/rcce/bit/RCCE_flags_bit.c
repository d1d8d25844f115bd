/* RCCE_flags.c for bit flags. */
#define SINGLEBITFLAGS
#include "../RCCE_flags.c"
