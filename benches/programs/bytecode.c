/*
 * An interpreter loop: a stack machine of one-byte codes whose program
 * counts the primes below 500 by trial division; there are 95.
 */
#include "bench.h"

#define LIMIT 500
#define PRIMES 95

enum code { PUSH, LOAD, STORE, ADD, REM, MUL, LESS, JUMP, FALSE, STOP };
enum variable { N, D, COUNT, VARIABLES };

/* n = 2; while n < LIMIT: d = 2;
 *   while d * d < n + 1: if n % d == 0: goto next; d = d + 1
 *   count = count + 1
 * next: n = n + 1 */
static const int16_t program[] = {
    /*  0 */ PUSH,  2,     STORE, N,
    /*  4 */ LOAD,  N,     PUSH,  LIMIT, LESS, FALSE, 54,
    /* 11 */ PUSH,  2,     STORE, D,
    /* 15 */ LOAD,  D,     LOAD,  D,     MUL,  LOAD,  N,
    PUSH,           1,     ADD,
    /* 25 */ LESS,  FALSE, 40,
    /* 28 */ LOAD,  N,     LOAD,  D,     REM,  FALSE, 47,
    /* 35 */ LOAD,  D,     JUMP,  55,    STOP,
    /* 40 */ LOAD,  COUNT, PUSH,  1,     ADD,  STORE, COUNT,
    /* 47 */ LOAD,  N,     PUSH,  1,     ADD,  JUMP,  62,
    /* 54 */ STOP,
    /* 55 */ PUSH,  1,     ADD,   STORE, D,    JUMP,  15,
    /* 62 */ STORE, N,     JUMP,  4};

static int32_t run(const int16_t *code)
{
    int32_t stack[16], variable[VARIABLES] = {0}, *top = stack;

    for (const int16_t *at = code;;) {
        switch (*at++) {
        case PUSH:
            *top++ = *at++;
            break;
        case LOAD:
            *top++ = variable[*at++];
            break;
        case STORE:
            variable[*at++] = *--top;
            break;
        case ADD:
            top--;
            top[-1] += top[0];
            break;
        case REM:
            top--;
            top[-1] %= top[0];
            break;
        case MUL:
            top--;
            top[-1] *= top[0];
            break;
        case LESS:
            top--;
            top[-1] = top[-1] < top[0];
            break;
        case JUMP:
            at = code + *at;
            break;
        case FALSE:
            at = *--top ? at + 1 : code + *at;
            break;
        case STOP:
            return variable[COUNT];
        }
    }
}

int main(int argc, char **argv)
{
    unsigned rounds = bench_argument(argc, argv, 1, 1), wrong = 0;
    const int16_t *code = program;

    for (unsigned round = 0; round < rounds; round++) {
        bench_keep(&code);
        wrong += run(code) != PRIMES;
    }
    return bench_verdict("bytecode", rounds, wrong);
}
