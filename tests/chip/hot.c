/* What programs spend their time on, with its expected result: bits, sorting,
 * recursion, tables, strings, floating point. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char bytes[4096];
static int numbers[2000];
static char marks[6000];

static unsigned crc32(const unsigned char *p, int n)
{
    unsigned crc = ~0u;
    while (n--) {
        crc ^= *p++;
        for (int i = 0; i < 8; i++)
            crc = (crc >> 1) ^ (0xEDB88320u & -(crc & 1));
    }
    return ~crc;
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int primes(void)
{
    int count = 0;
    memset(marks, 1, sizeof marks);
    for (int i = 2; i < (int)sizeof marks; i++) {
        if (!marks[i])
            continue;
        count++;
        for (int j = 2 * i; j < (int)sizeof marks; j += i)
            marks[j] = 0;
    }
    return count;
}

int main(void)
{
    unsigned x = 1;
    for (int i = 0; i < 4096; i++)
        bytes[i] = (x = x * 1664525 + 1013904223) >> 24;
    for (int i = 0; i < 2000; i++)
        numbers[i] = (int)((x = x * 1664525 + 1013904223) >> 8);
    qsort(numbers, 2000, sizeof numbers[0], compare);
    double harmonic = 0;
    for (int i = 1; i < 3000; i++)
        harmonic += 1.0 / i;
    long long wide = 0;
    for (int i = 0; i < 3000; i++)
        wide = wide * 31 + numbers[i % 2000] / (i + 1);
    printf("%08x %d %d %d %.9f %lld\n", crc32(bytes, 4096), numbers[17],
           fibonacci(16), primes(), harmonic, wide);
    return 0;
}
