// 2^23 keys, twice 32 MB: more than the cores that run share, so the others lend memory. No key is
// lost, and all are in order.
// cc: -O2 -pthread -I${system}/programs
// run: -q -n 16 --tag none --timeout 7200s
// expect-stdout:
// radix of 64 MB: 0 out of order, sums are equal
// slow: yes
#define main small
#include <radix.c>
#undef main

static struct {
    uint32_t sum, bits;
} before[48], after[48];

static void *sort_and_sum(void *argument)
{
    int number = *(int *)argument;

    fill(number);
    for (int n = part(number); n < part(number + 1); n++) {
        before[number].sum += keys[n];
        before[number].bits ^= keys[n] * 2654435761u;
    }
    pthread_barrier_wait(&barrier);
    for (int shift = 0; shift < 32; shift += 2 * BITS) {
        pass(number, keys, moved, shift);
        pass(number, moved, keys, shift + BITS);
    }
    for (int n = part(number); n < part(number + 1); n++) {
        after[number].sum += keys[n];
        after[number].bits ^= keys[n] * 2654435761u;
    }
    return NULL;
}

int main(void)
{
    uint32_t sum = 0, bits = 0;
    int wrong = 0;
    long time;

    threads = 16;
    length = 1 << 23;
    keys = malloc((size_t)length * sizeof *keys);
    moved = malloc((size_t)length * sizeof *moved);
    if (!keys || !moved || !run_team(sort_and_sum, &time))
        return 1;
    for (int n = 1; n < length; n++)
        wrong += keys[n - 1] > keys[n];
    for (int n = 0; n < threads; n++) {
        sum += after[n].sum - before[n].sum;
        bits ^= after[n].bits ^ before[n].bits;
    }
    printf("radix of %d MB: %d out of order, sums %s\n",
           (int)(2 * (size_t)length * sizeof *keys >> 20), wrong,
           sum || bits ? "differ" : "are equal");
    return 0;
}
