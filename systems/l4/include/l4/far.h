/*
 * far.h: the labels of requests to far, the server through which a core calls
 * gates of other cores. The reply's first word is L4_OK or an error.
 *
 * A program calls a gate that far gives as it calls a gate of its own core; the
 * call carries a label and up to three words. If the called gate does not reply
 * within 5 ms, the call returns L4_TIMEOUT; without any answer of the other
 * core, L4_DEAD after about 10 ms. While a call to a core is under way, a
 * second call to this core returns L4_NO_ROOM. Each of these errors comes as a
 * reply with the label FAR_FAILED and the error as its first word.
 */
#ifndef L4_FAR_H
#define L4_FAR_H

/* Exports a gate, which comes as an item: other cores may call it until its
 * capability is revoked. Word: the number by which other cores name the gate,
 * below FAR_NUMBERS; a gate that had this number before is revoked. */
#define FAR_EXPORT 1
/* Requests a gate of another core. Words: the core; the number under which that
 * core exports the gate (FAR_EXPORT), which is not checked before a call;
 * FAR_POLL, FAR_INTERRUPT or FAR_HYBRID: how both sides announce requests and
 * replies. The reply has the capability as an item. */
#define FAR_CONNECT 2
/* Chooses how this core notices requests. Word: 1: far polls while no thread of
 * a higher priority runs; 0 (at the start): by interrupts, and by polling while
 * its own calls wait. */
#define FAR_LISTEN 3

#define FAR_NUMBERS 8
#define FAR_FAILED 0xFFE0

/* How a message is announced: not at all; by an interrupt after the message; by
 * an interrupt before the message, so that the receiver is awake when it comes
 * [partheymueller-2011]. */
#define FAR_POLL 0
#define FAR_INTERRUPT 1
#define FAR_HYBRID 2

#endif
