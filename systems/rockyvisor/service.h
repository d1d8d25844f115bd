/* service.h: the page that service.c has for programs and drivers of the guest,
 * which include this file, too. */
#ifndef ROCKYVISOR_SERVICE_H
#define ROCKYVISOR_SERVICE_H

#define SERVICE_PAGE 0xFEB00000u /* physical */
#define SERVICE_MAGIC 0          /* reads as SERVICE_MAGIC_WORD */
#define SERVICE_MAGIC_WORD 0x59434B52u
/* The address of a struct service_ask. One store says all, since whoever asks
 * may go to another processor between two. */
#define SERVICE_ASK 4

#define SERVICE_PRINT 1u /* the bytes */
#define SERVICE_END 2u   /* of the machine; `count` is its exit code */
/* One processor at a time asks for each of these. */
#define SERVICE_FILES 3u /* the bytes are a 9P message */
#define SERVICE_INPUT 4u /* a line; of no bytes at the end */

#define SERVICE_MESSAGE 0x8000u /* the longest one, and its answer */
#define SERVICE_FAILED 0xFFFFFFFFu

struct service_ask {
    unsigned what, address, count;
    unsigned reply, room; /* for the answer */
    unsigned result;      /* how many bytes it has, or SERVICE_FAILED */
};

#endif
