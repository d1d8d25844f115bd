/* The parts of the binding: errors, waiting, what is sent and received. */
#ifndef BINDING_BINDING_H
#define BINDING_BINDING_H

#include "ruby.h"

#include "RCCE.h"

/* A function that the library calls in each round of a wait. */
extern void (*rcce_idle)(void);

/* rcce.c: raises a Ruby error unless RCCE.init was called. */
void rcce_ruby_begun(void);

/* errors.c: rcce_ruby_check returns RCCE_SUCCESS, and raises RCCE::Error for
 * another code; rcce_ruby_fail raises it with a text (as printf does);
 * rcce_ruby_time_up raises RCCE::Timeout for a UE, or for any (-1). */
void rcce_ruby_define_errors(VALUE module);
int rcce_ruby_check(int code);
_Noreturn void rcce_ruby_fail(int code, const char *format, ...);
_Noreturn void rcce_ruby_time_up(int ue);

/* wait.c: a call of the library, during which other threads run. */
/* How many rounds a wait polls before it sleeps. A message of a whole chunk
 * takes no longer. */
#define PATIENCE 1000

struct wait {
    int ue;          /* the partner; -1: several */
    int rings;       /* the partner may sleep until it is rung for */
    uint64_t until;  /* scc_now_ns; SCC_NEVER: no limit */
    uint64_t longer; /* `until` moves so far while the partner's heart beats */
    uint32_t heart;  /* as it was when `until` was set */
    unsigned rounds; /* of polling so far, without news */
    struct wait *outer;
};
void rcce_ruby_wait_open(void); /* once, after RCCE_init */
/* Gives the core away for a while (20 us, doubling up to 2 ms of simulated
 * time, or until rung for); raises Timeout when `until` has passed, and what
 * other threads raise. Call when `rounds` is above PATIENCE. */
void rcce_ruby_rest(struct wait *wait);
/* Returns what call(argument), a call of the library, returns. */
int rcce_ruby_waiting(struct wait *wait, int (*call)(void *), void *argument);
void rcce_ruby_ring(int ue); /* wakes a UE that sleeps; nothing if all poll */
/* RCCE_peek: 0, or 1 if no message waits, or an error. */
int rcce_ruby_peek(char *bytes, size_t size, int ue);

/* messages.c */
/* The most bytes of a message that the message buffer holds at once. */
#define RCCE_RUBY_CHUNK 8160
void rcce_ruby_define_messages(VALUE module);
void rcce_ruby_messages_open(void); /* once, after RCCE_init */
/* The number of another UE; raises RCCE::Error if there is none. */
int rcce_ruby_ue(VALUE number);
/* When a wait of so many seconds ends, by scc_now_ns; nil: never. */
uint64_t rcce_ruby_until(VALUE seconds);
int rcce_ruby_given_up(int ue); /* half-way in a message from there */
/* Runs body(argument) while no other thread of this core sends. */
VALUE rcce_ruby_sending(VALUE (*body)(VALUE), VALUE argument);

/* look.c */
void rcce_ruby_define_look(VALUE module);

/* heart.c */
void rcce_ruby_define_heart(VALUE module);
/* A number that changes while the UE runs; 0: it has no heart. */
uint32_t rcce_ruby_heart(int ue);
void rcce_ruby_heart_stop(void);

/* together.c */
void rcce_ruby_define_together(VALUE module);

#endif
