// The clock among the launcher's words: a short decimal fraction or nothing.
// run: -n 1
// expect-stdout:
// 0 wrong
#include "../../guest/scc/hosted/job.c"

#include <stdio.h>

static const struct {
    const char *word;
    double ghz;
} clocks[] = {
    {"0.533", 0.533},
    {"1", 1},
    {".8", 0.8},
    {"0.000000533", 0.000000533},
    {"0.533333333", 0.533333333},
    {"533333333", 533333333},
    /* Words that no number of digits makes a clock. */
    {"0.0000000533", 0},
    {"0.0000000000533", 0},
    {"0.00000000000000000000000000000533", 0},
    {"0.0000000000000000000000000000000000", 0},
    {"5333333333", 0},
    {"0.5333333333", 0},
    {"", 0},
    {".", 0},
    {"0.5.3", 0},
    {"-1", 0},
    {"1e3", 0},
};

int main(void)
{
    int wrong = 0;

    for (size_t n = 0; n < sizeof clocks / sizeof clocks[0]; n++) {
        double ghz = take_head("1", clocks[n].word) ? job.ghz : 0;
        double error = ghz - clocks[n].ghz;

        if (error > ghz * 1e-12 || error < -ghz * 1e-12) {
            printf("%s: %g\n", clocks[n].word, ghz);
            wrong++;
        }
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
