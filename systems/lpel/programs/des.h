/*
 * des.h: the Data Encryption Standard [fips-46-3] with one key.
 */
#ifndef DES_H
#define DES_H

#include <stdint.h>

/* Executes rounds `from` to before `to` (0 to 16) of one block in place, to
 * encrypt, or, with `encrypt` 0, to decrypt: `from` 0 begins with the initial
 * permutation, `to` 16 ends with the final one. Between calls the block is the
 * two halves, left first, as the last round left them. */
void des_rounds(uint8_t block[8], int from, int to, int encrypt);
/* Encrypts and decrypts a published vector and prints `des: right` or
 * `des: wrong`. Returns 0 if both were right, otherwise 1. */
int des_known_answer(void);

#endif
