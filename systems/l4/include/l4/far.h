/*
 * far.h: the labels of requests to far, the server that makes gates of other
 * cores capabilities like any other. The reply's first word is L4_OK or an
 * error.
 *
 * A gate that far gives is called as one of this core: a label and up to three
 * words go there, the reply comes back. The called gate has 5 ms to reply
 * (L4_TIMEOUT); a call that is not answered after about 10 ms has L4_DEAD; a
 * second call to the core meanwhile has L4_NO_ROOM. All of these come as a
 * reply with the label FAR_FAILED and the error as its first word.
 */
#ifndef L4_FAR_H
#define L4_FAR_H

/* Lets other cores call the gate that comes as an item, until that capability
 * is revoked. Word: the number by which they name it, below FAR_NUMBERS; a gate
 * exported under it before is revoked. */
#define FAR_EXPORT 1
/* Requests a gate of another core. Words: the core; the number under which that
 * core exports the gate (FAR_EXPORT), which is not checked before a call;
 * FAR_POLL, FAR_INTERRUPT or FAR_HYBRID: how both sides announce requests and
 * replies. The reply has the capability as an item. */
#define FAR_CONNECT 2
/* Says how this core learns of requests. Word: 1: it looks whenever nobody of
 * a higher priority runs; 0 (at the start): by interrupts, and while its own
 * calls wait. */
#define FAR_LISTEN 3

#define FAR_NUMBERS 8
#define FAR_FAILED 0xFFE0

/* How a message is announced: not at all; by an interrupt behind it; by an
 * interrupt before it, so that the receiver is awake when it comes
 * [partheymueller-2011]. */
#define FAR_POLL 0
#define FAR_INTERRUPT 1
#define FAR_HYBRID 2

#endif
