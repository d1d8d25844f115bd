// Who sees a flag sees the data that were written before it, wherever data
// and flag are.
// run: --cores 0,1,46 --tag none --until 50ms
// mutant: flag-before-data
// expect-stdout:
// 3 x 200 flags, data always there
#include "chip.h"

#define ROUNDS 200
#define DATA_LINES 4

static void write_line(word *line, uint32_t value)
{
    for (int i = 0; i < LINE_WORDS; i++)
        line[i] = value;
}

/* Data and flag in the halves of the given cores; core 0 writes, `reader`
 * polls. The last line of data is a single word, which the first word of the
 * flag pushes out of the write-combine buffer; all else are whole lines. */
static void exchange(int core, int reader, int data_core, int flag_core)
{
    word *data = map_mpb(data_core), *flag = map_mpb(flag_core) + 1024;
    word *answer = map_mpb(reader) + 1536;

    for (uint32_t round = 1; round <= ROUNDS; round++) {
        if (core == 0) {
            for (int line = 0; line < DATA_LINES; line++)
                write_line(data + line * LINE_WORDS, round);
            data[DATA_LINES * LINE_WORDS] = round;
            write_line(flag, round);
            do {
                cl1invmb();
            } while (answer[0] != round);
        } else if (core == reader) {
            do {
                cl1invmb();
            } while (flag[0] != round);
            for (int line = 0; line < DATA_LINES; line++)
                for (int i = 0; i < LINE_WORDS; i++)
                    CHECK(data[line * LINE_WORDS + i] == round);
            CHECK(data[DATA_LINES * LINE_WORDS] == round);
            write_line(answer, round);
        }
    }
    for (int line = 0; line < DATA_LINES && core == 0; line++)
        write_line(data + line * LINE_WORDS, 0);
    if (core == 0) {
        write_line(flag, 0);
        write_line(answer, 0);
    }
}

static void meet(int core, uint32_t step)
{
    reach(core, step);
    await(0, step);
    await(1, step);
    await(46, step);
}

int main(void)
{
    int core = my_core();
    start_turns();

    meet(core, 1);
    exchange(core, 1, 1, 1); /* both near the reader */
    meet(core, 2);
    exchange(core, 1, 46, 1); /* data far, flag near */
    meet(core, 3);
    exchange(core, 46, 0, 46); /* data at the writer, flag far */
    meet(core, 4);
    if (core == 0)
        puts("3 x 200 flags, data always there");
    return 0;
}
