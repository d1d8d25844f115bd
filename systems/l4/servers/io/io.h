/* io.h: what the files of this server share. */
#ifndef SERVERS_IO_H
#define SERVERS_IO_H

#include "lib/l4.h"

/* registers.c: perform IO_READ and IO_WRITE (l4/io.h) */
int32_t register_read(uint32_t physical, uint32_t *value);
int32_t register_write(uint32_t physical, uint32_t value);

/* pages.c: performs IO_MAP; the page becomes the reply's item */
int32_t page_give(uint32_t physical, uint32_t bits);

#endif
