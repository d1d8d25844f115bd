/* A range of user addresses with one protection and one kind of memory. */
#ifndef REGION_H
#define REGION_H

#include "types.h"

enum region_kind {
    REGION_ANONYMOUS, /* zero-filled at first touch */
    REGION_PHYSICAL,  /* core-physical addresses, as mapped by a device */
    REGION_BUFFERS,   /* all cores' message buffers in turn (buffers.c) */
};

struct region {
    u32 start, end;
    u32 protection; /* PROT_ bits */
    enum region_kind kind;
    u32 physical; /* not REGION_ANONYMOUS: the address behind start */
    u32 type;     /* not REGION_ANONYMOUS: memory type, page table bits */
};

#endif
