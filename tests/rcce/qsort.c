// The original's sorting helper, with its comparison of core numbers.
// cc: -lrcce
// run: -n 1
// also-slow: --kernel l4
// expect-stdout:
// 0 1 5 5 12 47
#include <RCCE.h>
#include <stdio.h>

int RCCE_qsort(char *table, size_t count, size_t size,
               int (*compare)(const void *, const void *));
int id_compare(const void *e1, const void *e2);

int main(int argc, char **argv)
{
    int cores[] = {12, 5, 47, 0, 5, 1};

    RCCE_init(&argc, &argv);
    RCCE_qsort((char *)cores, 6, sizeof(int), id_compare);
    printf("%d %d %d %d %d %d\n", cores[0], cores[1], cores[2], cores[3],
           cores[4], cores[5]);
    return RCCE_finalize();
}
