// An ordinary program, nothing in it knows the chip: numbers in text,
// memory, sorting, mathematics, a file. The same source gives the same
// output on the host (test_same_as_host.py).
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void numbers(void)
{
    static const double values[] = {0.0,    -0.0, 1.0 / 3,    1e300,
                                    5e-324, 1e-5, 123456.789, DBL_MAX,
                                    2.5,    0.1,  -1.0 / 0.0};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        printf("%.17g %e %.3f\n", values[i], values[i],
               fabs(values[i]) < 1e20 ? values[i] : 1.0);
    long double third = 1.0L / 3;
    printf("%.21Lg %.10Lf %a\n", third, third * 1000, (double)third);
    printf("%.21Lg %.5Le\n", LDBL_MAX, LDBL_MIN);
    printf("%d %i %u %x %#o %+d %05d|%-6d|%6d|\n", -1, 42, 42u, 0xBEEF, 8, 7,
           -42, 17, 17);
    printf("%lld %llu %hhd %c %s %.3s %%\n", LLONG_MIN, ULLONG_MAX, 200, 'x',
           "text", "texture");
    int i;
    double d;
    char word[10];
    int fields = sscanf("17 2.75e3 hello", "%d %lf %9s", &i, &d, word);
    printf("%d: %d %g %s\n", fields, i, d, word);
    printf("%.17g %ld %g\n", strtod("0x1.8p1", NULL), strtol("-777", NULL, 8),
           atof("1e-320"));
}

static void options(void)
{
    char text[] = "rw=5,ro,,rope=1,foo=bar", *rest = text, *value;
    char *known[] = {"ro", "rw", NULL};

    while (*rest) {
        int found = getsubopt(&rest, known, &value);

        printf("%d %s|", found, value ? value : "none");
    }
    puts("");
}

static void memory(void)
{
    size_t size = 100u << 20;
    unsigned char *large = malloc(size);
    unsigned sum = 0;
    if (!large) {
        puts("no 100 MB");
        return;
    }
    /* One byte a page, so that every page is really there. */
    for (size_t i = 0; i < size; i += 4096)
        large[i] = (unsigned char)(i >> 12);
    for (size_t i = 0; i < size; i += 4096)
        sum += large[i];
    printf("100 MB: %u\n", sum);
    free(large);
    char *grown = NULL;
    for (int n = 1; n <= 4096; n *= 4) {
        grown = realloc(grown, (size_t)n);
        memset(grown + n / 4, 'a' + n % 26, (size_t)(n - n / 4));
    }
    printf("grown: %c %c\n", grown[0], grown[4095]);
    free(grown);
    int *zeros = calloc(1000, sizeof *zeros), any = 0;
    for (int i = 0; i < 1000; i++)
        any |= zeros[i];
    printf("calloc: %d\n", any);
    free(zeros);
}

static int by_value(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void sorting(void)
{
    enum { N = 3000 };
    static int numbers[N];
    unsigned state = 7, wrong = 0;
    for (int i = 0; i < N; i++) {
        state = state * 1664525u + 1013904223u;
        numbers[i] = (int)(state >> 8) % 10000;
    }
    qsort(numbers, N, sizeof numbers[0], by_value);
    for (int i = 1; i < N; i++)
        wrong += numbers[i - 1] > numbers[i];
    int *found =
        bsearch(&numbers[N / 2], numbers, N, sizeof numbers[0], by_value);
    printf("sorted: %d %d %d wrong %u found %d\n", numbers[0], numbers[N / 2],
           numbers[N - 1], wrong, found ? *found : -1);
}

static void mathematics(void)
{
    for (double x = 0.1; x < 200; x *= 3.7)
        printf("%.12g %.12g %.12g %.12g %.12g %.12g\n", sin(x), cos(x),
               exp(x / 10), log(x), sqrt(x), pow(x, 0.37));
    printf("%.12g %.12g %.12g %.12g\n", sin(10), tan(1), atan2(-1, -2),
           sinh(2));
    printf("%g %g %g %g %g %g\n", floor(-2.5), ceil(-2.5), rint(2.5),
           round(2.5), trunc(-2.7), fmod(17.25, 5));
    printf("%g %g %d\n", ldexp(1.5, 10), hypot(3, 4), isnan(sqrt(-1.0)));
    float f = 0;
    for (int i = 1; i <= 10; i++)
        f = (float)(f + 1.0 / i);
    printf("%.6f\n", f);
}

static void file(const char *name)
{
    char line[80];
    FILE *f = fopen(name, "w+");
    if (!f) {
        printf("cannot open: %d\n", errno);
        return;
    }
    for (int i = 0; i < 200; i++)
        fprintf(f, "line %d: %d\n", i, i * i);
    printf("written: %ld\n", ftell(f));
    fseek(f, 1000, SEEK_SET);
    fgets(line, sizeof line, f);
    fgets(line, sizeof line, f);
    printf("read: %s", line);
    rewind(f);
    int lines = 0;
    while (fgets(line, sizeof line, f))
        lines++;
    printf("lines: %d, last: %s", lines, line);
    fclose(f);
    printf("removed: %d", remove(name));
    printf(", again: %d\n", fopen(name, "r") == NULL);
}

static jmp_buf back;

static void jumps(void)
{
    volatile int turns = 0;
    if (setjmp(back) < 3) {
        turns = turns + 1;
        longjmp(back, turns);
    }
    printf("jumped %d times\n", turns);
    struct tm day = {.tm_year = 110, .tm_mon = 11, .tm_mday = 8};
    char text[40];
    strftime(text, sizeof text, "%Y-%m-%d", &day);
    puts(text);
}

int main(int argc, char **argv)
{
    numbers();
    options();
    memory();
    sorting();
    mathematics();
    if (argc > 1)
        file(argv[1]);
    jumps();
    return argc > 1 ? 0 : 1;
}
