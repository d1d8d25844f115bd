/* The sorting helper of the original, and the comparison with which it puts
 * cores in the order of their numbers: programs that form teams of their own
 * link both. Teams are small: by insertion, which needs no library. */
#include "RCCE_lib.h"

static void exchange(char *a, char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char kept = a[i];

        a[i] = b[i];
        b[i] = kept;
    }
}

int RCCE_qsort(char *table, size_t count, size_t size,
               int (*compare)(const void *, const void *))
{
    for (size_t sorted = 1; sorted < count; sorted++) {
        char *item = table + sorted * size;

        for (; item > table && compare(item - size, item) > 0; item -= size)
            exchange(item - size, item, size);
    }
    return RCCE_SUCCESS;
}

int id_compare(const void *e1, const void *e2)
{
    int first = *(const int *)e1, second = *(const int *)e2;

    return (first > second) - (first < second);
}
