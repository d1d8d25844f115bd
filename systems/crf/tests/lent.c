// More than 64 MB: cores that do not run lend memory. Each thread writes what the other one reads,
// and a part of it is freed and taken again as one larger block.
// cc: -O1 -fno-builtin-malloc -pthread
// run: -q -n 2 --tag none
// also: --threads-model uncached
// also: --check races
// also-slow: --threads-model lazy
// expect-stdout:
// 64 blocks of 3 MB, 0 wrong
// joined: 0 wrong
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define MB (1u << 20)
#define BLOCKS 64
#define WORDS (3 * MB / sizeof(unsigned))
#define STRIDE (MB / sizeof(unsigned))

static unsigned *block[BLOCKS], *whole;
static pthread_barrier_t barrier;
static unsigned wrong[2];

static void *work(void *argument)
{
    unsigned me = *(unsigned *)argument;

    for (unsigned n = me; n < BLOCKS; n += 2)
        for (unsigned word = 0; word < WORDS; word += STRIDE)
            block[n][word] = n << 24 | word;
    pthread_barrier_wait(&barrier);
    for (unsigned n = !me; n < BLOCKS; n += 2)
        for (unsigned word = 0; word < WORDS; word += STRIDE)
            wrong[me] += block[n][word] != (n << 24 | word);
    return 0;
}

static void *fill(void *argument)
{
    for (unsigned word = 0; word < 60 * WORDS; word += 4 * STRIDE)
        whole[word] = word;
    return argument;
}

int main(void)
{
    static unsigned number[2] = {0, 1};
    pthread_t thread[2];
    unsigned lost = 0;

    for (int n = 0; n < BLOCKS; n++)
        block[n] = malloc(3 * MB);
    pthread_barrier_init(&barrier, 0, 2);
    for (int n = 0; n < 2; n++)
        pthread_create(&thread[n], 0, work, &number[n]);
    for (int n = 0; n < 2; n++)
        pthread_join(thread[n], 0);
    printf("%d blocks of 3 MB, %u wrong\n", BLOCKS, wrong[0] + wrong[1]);
    for (int n = 0; n < BLOCKS; n++)
        free(block[n]);
    whole = malloc(190 * MB);
    if (!whole)
        return 1;
    pthread_create(&thread[0], 0, fill, 0);
    pthread_join(thread[0], 0);
    for (unsigned word = 0; word < 60 * WORDS; word += 4 * STRIDE)
        lost += whole[word] != word;
    printf("joined: %u wrong\n", lost);
    return 0;
}
