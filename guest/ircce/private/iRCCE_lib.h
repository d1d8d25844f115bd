/*
 * iRCCE_lib.h: for programs that include the private header of this name of
 * the original library: the two that it stands on. Its own queues and
 * requests under way are not here.
 */
#ifndef IRCCE_LIB_H
#define IRCCE_LIB_H

#include "RCCE_lib.h"
#include "iRCCE.h"

#endif
