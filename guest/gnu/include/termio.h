/* termio.h: System V's terminals: struct termio and TCGETA. */
#ifndef _TERMIO_H
#define _TERMIO_H

#include <sys/ioctl.h>
#include <termios.h>

#define NCC 8

struct termio {
    unsigned short c_iflag, c_oflag, c_cflag, c_lflag;
    unsigned char c_line, c_cc[NCC];
};

#endif
