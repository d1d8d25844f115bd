/* What a core under our own kernel cannot do, each kind in a file. */
#ifndef ALONE_H
#define ALONE_H

#include <ruby.h>

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

void alone_refuse_commands(void);

#endif
