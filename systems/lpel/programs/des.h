/*
 * des.h: the Data Encryption Standard [fips-46-3] with one key.
 */
#ifndef DES_H
#define DES_H

#include <stdint.h>

/* Executes rounds `from` to before `to` of 16, in place: 0 begins with the
 * initial permutation, 16 ends with the final one. In between a block is the
 * two halves as the round leaves them. */
void des_rounds(uint8_t block[8], int from, int to, int encrypt);
/* Encrypts and decrypts a published vector and prints `des: right` or
 * `des: wrong`. Returns 0 if both were right, otherwise 1. */
int des_known_answer(void);

#endif
