/* sys/socketvar.h: sys/socket.h by another name. */
#include <sys/socket.h>
