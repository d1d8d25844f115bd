/* service.h: registers of the page that service.c has for programs of the
 * guest, which include this file, too. */
#ifndef ROCKYVISOR_SERVICE_H
#define ROCKYVISOR_SERVICE_H

#define SERVICE_PAGE 0xFEB00000u /* physical */
#define SERVICE_MAGIC 0          /* reads as SERVICE_MAGIC_WORD */
#define SERVICE_MAGIC_WORD 0x59434B52u
#define SERVICE_ADDRESS 4 /* of what is printed next */
#define SERVICE_PRINT 8   /* how many bytes of it: prints them */
#define SERVICE_END 12    /* ends the machine with this exit code */

#endif
