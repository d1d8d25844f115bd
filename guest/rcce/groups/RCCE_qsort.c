/* The sorting helper of the original, and the comparison with which it puts
 * cores in the order of their numbers: programs that form teams of their own
 * link both. */
#include "RCCE_lib.h"

#include <stdlib.h>

int RCCE_qsort(char *table, size_t count, size_t size,
               int (*compare)(const void *, const void *))
{
    qsort(table, count, size, compare);
    return RCCE_SUCCESS;
}

int id_compare(const void *e1, const void *e2)
{
    int first = *(const int *)e1, second = *(const int *)e2;

    return (first > second) - (first < second);
}
