/* far.h: the declarations that the files of this server share. */
#ifndef SERVERS_FAR_H
#define SERVERS_FAR_H

#include "l4/far.h"
#include "lib/l4.h"

#define CORES 48u
#define LINE_WORDS 8

/* A message on its way: one line of a message buffer. */
struct line {
    uint32_t mark; /* says that the line is full */
    uint32_t number_mode;
    uint32_t tag, words[3];
    uint32_t turn; /* a reply has that of its request */
    uint32_t result;
};

enum {
    OWN_GATE = L4_SLOT_FREE,
    INTERRUPTS,
    EXPORTS,
    /* One more than there are numbers: one is always empty. */
    KEPT = EXPORTS + FAR_NUMBERS + 1, /* callers, by the core they call */
    PINS = KEPT + CORES,              /* by the core that they interrupt */
};

/* The badge of a gate that this server gives: a number in bits 7:0, a core in
 * bits 15:8, how a line is announced in bits 17:16. */
#define OF_A_GATE 0x80000000u

/* boxes.c: in each core's message buffer, a line for requests of each core and
 * one for replies. A line is filled by its sender alone and emptied by its
 * owner. box_put returns 0 if the core's buffer cannot be had, or its box for
 * requests is full (an unread reply is overwritten); box_take 0 if the box is
 * empty. */
enum kind { REQUEST, REPLY };
int box_put(uint32_t core, enum kind kind, const struct line *line);
int box_take(uint32_t sender, enum kind kind, struct line *line);
void boxes_look(void); /* call before box_take: drops L1's copies of them */

/* calls.c: `partners`: cores that called this one, or were called (meet).
 * send_line puts a line and announces it by `mode`; returns as box_put.
 * calls_begin forwards a call and keeps its caller; L4_OK: the reply comes
 * later. The badge says what is called; rck reads it there. calls_take: true if a reply came that somebody waits for. calls_check:
 * interrupts cores that do not answer, or gives up; calls_wait: a timeout. */
extern uint8_t partners[CORES];
extern uint32_t partner_count;
int32_t ask_io(uint32_t label, uint32_t word);
void meet(uint32_t core);
int send_line(uint32_t core, enum kind kind, const struct line *line,
              uint32_t mode);
int32_t calls_begin(uint32_t badge, const struct l4_message *m);
int calls_take(uint32_t core);
void calls_check(void);
uint32_t calls_wait(void);

#endif
