/* RCCE_gory.c for bit flags. */
#define SINGLEBITFLAGS
#include "../RCCE_gory.c"
