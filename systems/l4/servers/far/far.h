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
};

/* The badge of a gate that this server gives: a number in bits 7:0, a core in
 * bits 15:8, how a line is announced in bits 17:16. */
#define OF_A_GATE 0x80000000u

/* boxes.c: in each core's message buffer, a line for requests of each core and
 * one for replies. A line is filled by its sender alone and emptied by its
 * owner. A core whose buffer cannot be had takes nothing. */
enum kind { REQUEST, REPLY };
int box_put(uint32_t core, enum kind kind, const struct line *line);
int box_take(uint32_t sender, enum kind kind, struct line *line);
void boxes_look(void); /* what L1 holds of them is dropped */

/* calls.c: cores that called this one, or were called. send_line: 0 if the box
 * is full. calls_begin keeps the caller of the message. calls_take: whether a
 * reply came that somebody waits for. */
extern uint8_t partners[CORES];
extern uint32_t partner_count;
int32_t ask_io(uint32_t label, uint32_t word);
void meet(uint32_t core);
int send_line(uint32_t core, enum kind kind, const struct line *line,
              uint32_t mode);
int32_t calls_begin(const struct l4_message *m);
int calls_take(uint32_t core);
void calls_check(void);
uint32_t calls_wait(void);

#endif
