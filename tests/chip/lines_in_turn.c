/* Repeated string instructions between arrays whose lines share the sets of
 * L1D, with the expected result: a line may displace that of the other side.
 */
#include <stdio.h>

#define ROWS 6
#define BYTES 240 /* of each row that are used: lines, and half a line */
#define MARK 40   /* row r differs from all others in byte r * MARK only */

static char rows[ROWS + 1][4096] __attribute__((aligned(4096)));

static unsigned equal_bytes(const char *source, const char *target)
{
    unsigned left = BYTES;

    __asm__ volatile("cld; repe cmpsb"
                     : "+S"(source), "+D"(target), "+c"(left)
                     :
                     : "memory", "cc");
    return BYTES - left;
}

static unsigned equal_words(const char *source, const char *target)
{
    unsigned left = BYTES / 4;

    __asm__ volatile("cld; repe cmpsl"
                     : "+S"(source), "+D"(target), "+c"(left)
                     :
                     : "memory", "cc");
    return BYTES / 4 - left;
}

static void move_bytes(char *target, const char *source)
{
    unsigned left = BYTES;

    __asm__ volatile("cld; rep movsb"
                     : "+S"(source), "+D"(target), "+c"(left)
                     :
                     : "memory");
}

/* How many elements are compared: those that are equal, and the first one that
 * is not. */
static unsigned compared(int a, int b, unsigned bytes)
{
    unsigned first = (unsigned)(a < b ? a : b) * MARK / bytes;

    return a == b ? BYTES / bytes : first + 1;
}

int main(void)
{
    unsigned wrong = 0;

    for (int r = 0; r < ROWS; r++) {
        for (int i = 0; i < BYTES; i++)
            rows[r][i] = (char)(i % 100);
        rows[r][r * MARK] = 100;
    }
    for (int round = 0; round < 20; round++)
        for (int a = 0; a < ROWS; a++)
            for (int b = 0; b < ROWS; b++) {
                wrong += equal_bytes(rows[a], rows[b]) != compared(a, b, 1);
                wrong += equal_words(rows[a], rows[b]) != compared(a, b, 4);
                move_bytes(rows[ROWS], rows[a]);
                wrong += equal_words(rows[b], rows[ROWS]) != compared(a, b, 4);
            }
    printf("%u wrong\n", wrong);
    return wrong != 0;
}
