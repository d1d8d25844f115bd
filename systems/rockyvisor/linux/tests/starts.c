/*
 * starts.c: many programs started in one Linux, some at a time.
 *
 *   starts [PROGRAMS]
 *
 * Each is this file, executed anew in a process of its own. It writes and sums
 * pages of its own and ends with a code that its number gives.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define AT_ONCE 4
#define WORDS 8192 /* 32 KB */
#define CODES 101

static unsigned words[WORDS];

static int be(unsigned number)
{
    unsigned sum = 0;

    for (unsigned n = 0; n < WORDS; n++)
        words[n] = number * n;
    for (unsigned n = 0; n < WORDS; n++)
        sum += words[n] == number * n;
    return sum == WORDS ? (int)(number % CODES) : CODES;
}

static pid_t start(const char *program, unsigned number)
{
    pid_t child = fork();
    char word[12];

    if (child)
        return child;
    snprintf(word, sizeof(word), "%u", number);
    execl(program, program, "number", word, (char *)NULL);
    _exit(CODES + 1);
}

int main(int count, char **given)
{
    unsigned programs = count > 1 ? (unsigned)atoi(given[1]) : 400, wrong = 0;
    pid_t children[AT_ONCE];

    if (count == 3)
        return be((unsigned)atoi(given[2]));
    for (unsigned n = 0; n < programs + AT_ONCE; n++) {
        unsigned before = n - AT_ONCE;
        pid_t *child = &children[n % AT_ONCE];
        int status = 0;

        if (n >= AT_ONCE)
            wrong += waitpid(*child, &status, 0) != *child ||
                     status != (int)(before % CODES) << 8;
        if (n < programs)
            *child = start("/proc/self/exe", n);
    }
    printf("%u programs, %u ended wrong\n", programs, wrong);
    return wrong != 0;
}
