/*
 * work.c: independent work of several threads under one Linux: Gaussian pairs
 * counted as the benchmark EP counts them, and rows of the Mandelbrot set, as
 * many times as the first word says. One thread does all, unless there is a
 * second word, then as many as there are processors; both give equal sums. Prints
 * the milliseconds from the first thread's creation to the last one's end.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define THREADS 48
#define PIECES 480 /* of a work; each thread has every n-th */
#define PAIRS 1000
#define WIDTH 192
#define DEPTH 100

struct part {
    unsigned long sum;
    int first, step;
    unsigned long (*piece)(int number);
} __attribute__((aligned(4096)));

static struct part parts[THREADS];
static int pieces = PIECES;

/* Pairs of a linear generator that fall into the unit circle, by their size. */
static unsigned long pairs(int number)
{
    unsigned long long state = 271828183ull + (unsigned)number * 7654321ull;
    unsigned long sum = 0;

    for (int n = 0; n < PAIRS; n++) {
        double x, y, square;

        state = state * 6364136223846793005ull + 1442695040888963407ull;
        x = (double)(int)(state >> 32) / 2147483648.0;
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        y = (double)(int)(state >> 32) / 2147483648.0;
        square = x * x + y * y;
        if (square < 1 && square > 0) {
            double scale = sqrt(-2 * log(square) / square);

            sum += (unsigned long)(fabs(x * scale) * 16 + fabs(y * scale));
        }
    }
    return sum;
}

static unsigned long row(int number)
{
    unsigned long sum = 0;

    for (int column = 0; column < WIDTH; column++) {
        double a = column * 3.0 / WIDTH - 2,
               b = number % PIECES * 2.0 / PIECES - 1;
        double x = 0, y = 0;
        int depth = 0;

        while (depth < DEPTH && x * x + y * y < 4) {
            double next = x * x - y * y + a;

            y = 2 * x * y + b;
            x = next;
            depth++;
        }
        sum += (unsigned long)depth;
    }
    return sum;
}

static void *work(void *argument)
{
    struct part *part = argument;
    unsigned long sum = 0;

    for (int n = part->first; n < pieces; n += part->step)
        sum += part->piece(n);
    part->sum = sum;
    return NULL;
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double took(unsigned long (*piece)(int), int count, unsigned long *sum)
{
    pthread_t threads[THREADS];
    double begin = seconds();

    *sum = 0;
    for (int n = 0; n < count; n++) {
        parts[n].first = n;
        parts[n].step = count;
        parts[n].piece = piece;
        if (n && pthread_create(&threads[n], NULL, work, &parts[n]) != 0)
            exit(2);
    }
    work(&parts[0]);
    for (int n = 0; n < count; n++) {
        if (n)
            pthread_join(threads[n], NULL);
        *sum += parts[n].sum;
    }
    return seconds() - begin;
}

static int compare(const char *what, unsigned long (*piece)(int), int count,
                   int alone)
{
    unsigned long first, then;

    printf("%s:", what);
    if (alone)
        printf(" %.1f", took(piece, 1, &first) * 1e3);
    printf(" %.1f ms, sum %lu\n", took(piece, count, &then) * 1e3, then);
    return alone && first != then;
}

int main(int words, char **word)
{
    int count = (int)sysconf(_SC_NPROCESSORS_ONLN), alone = words < 3;

    if (count > THREADS || words < 2)
        return 2;
    pieces *= atoi(word[1]);
    printf("%d processors\n", count);
    return compare("pairs", pairs, count, alone) |
           compare("rows", row, count, alone);
}
