/*
 * message.c: RCCE without an operating system. Each core boots this kernel
 * with the launcher's words on its command line (NUE GHz id0 id1 ...), turns
 * on paging with the memory types that librcce_bare.a asks for, and then
 * sends, receives, reduces and meets like any program; or, given "?", waits for
 * messages that nobody sends.
 */
#include "bare.h"

#include "RCCE.h"

#define WORDS_MAX 64
#define COMMAND_LINE 4 /* word of the multiboot information */
#define MESSAGE_WORDS 2000

static int data[MESSAGE_WORDS];

static int split(char *line, char **words)
{
    int count = 0;

    while (*line && count < WORDS_MAX) {
        while (*line == ' ')
            *line++ = 0;
        if (*line)
            words[count++] = line;
        while (*line && *line != ' ')
            line++;
    }
    return count;
}

static void map_chip(void)
{
    paging_on();
    for (uint32_t tile = 0; tile < 24; tile++) {
        map(tile_base(SCC_MPB_BASE, tile), 0x4000, MESSAGE);
        map(tile_base(SCC_CRB_BASE, tile), 0x1000, UNCACHED);
    }
    map(SCC_MPB_OWN, 0x4000, MESSAGE);
}

static int run(int argc, char **argv)
{
    int error = RCCE_init(&argc, &argv);
    if (error) {
        printf("RCCE_init: %d\n", error);
        return 1;
    }
    int me = RCCE_ue(), ues = RCCE_num_ues(), sum = 0, wrong = 0;
    for (int i = 0; i < MESSAGE_WORDS; i++)
        data[i] = me == 0 ? 3 * i : 0;
    if (argc > 1 && argv[1][0] == '?')
        RCCE_recv((char *)data, sizeof data, (me + 1) % ues); /* from nobody */
    if (me > 0)
        RCCE_recv((char *)data, sizeof data, me - 1);
    if (me + 1 < ues)
        RCCE_send((char *)data, sizeof data, me + 1);
    for (int i = 0; i < MESSAGE_WORDS; i++)
        wrong += data[i] != 3 * i;
    RCCE_allreduce((char *)&me, (char *)&sum, 1, RCCE_INT, RCCE_SUM,
                   RCCE_COMM_WORLD);
    RCCE_barrier(&RCCE_COMM_WORLD);
    printf("UE %d of %d, arguments %s: %d wrong, sum %d, misuse %d\n", me, ues,
           argc > 1 ? argv[1] : "none", wrong, sum,
           RCCE_send((char *)data, 4, ues));
    return RCCE_finalize();
}

int main(uint32_t magic, const uint32_t *information)
{
    char *words[WORDS_MAX];

    (void)magic;
    __asm__ volatile("fninit");
    int count = split((char *)information[COMMAND_LINE], words);
    map_chip();
    if (run(count, words) == 0)
        puts("done");
    return 0;
}
