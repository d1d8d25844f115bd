/*
 * sys/unistd.h: another place of unistd.h.
 */
#include <unistd.h>
