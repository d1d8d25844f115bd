/* RCCE_gory.c for bit flags. */
#define SINGLEBITFLAGS
#include "../messages/RCCE_gory.c"
