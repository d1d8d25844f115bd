/* sys/bitypes.h: integers of fixed sizes, by BSD's names. */
#include <sys/types.h>
