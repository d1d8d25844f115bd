/*
 * box.c: a message of seven words, and its receipt.
 */
#include "scc/box.h"

#define NUMBER SCC_BOX_WORDS

int scc_box_put(struct scc_box *box, const uint32_t words[SCC_BOX_WORDS])
{
    scc_cl1invmb();
    if (box->receipt[0] != box->number)
        return 0;
    for (unsigned n = 0; n < SCC_BOX_WORDS; n++)
        box->line[n] = words[n];
    box->line[NUMBER] = ++box->number;
    scc_push(box->drain);
    return 1;
}

int scc_box_take(struct scc_box *box, uint32_t words[SCC_BOX_WORDS])
{
    scc_cl1invmb();
    if (box->line[NUMBER] == box->number)
        return 0;
    for (unsigned n = 0; n < SCC_BOX_WORDS; n++)
        words[n] = box->line[n];
    box->receipt[0] = ++box->number;
    scc_push(box->drain);
    return 1;
}
