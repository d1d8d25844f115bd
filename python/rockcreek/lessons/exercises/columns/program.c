/* The sums of a table's columns. */
#include <stdio.h>

enum { ROWS = 512, COLUMNS = 512, TIMES = 3 };

static int table[ROWS][COLUMNS];
static unsigned sums[COLUMNS];

int main(void)
{
    unsigned all = 0;

    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++)
            table[row][column] = row + column;
    for (int time = 0; time < TIMES; time++)
        for (int column = 0; column < COLUMNS; column++)
            for (int row = 0; row < ROWS; row++)
                sums[column] += table[row][column];
    for (int column = 0; column < COLUMNS; column++)
        all += sums[column];
    printf("%u\n", all);
    return 0;
}
