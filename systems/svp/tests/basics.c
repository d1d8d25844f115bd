// Families near and far, data both ways, channels, break and kill: all transports do the same.
// cc: -O2 -lsvp
// run: -n 4 --tag none --check coherence -- 2 0
// expect-stdout:
// far: sum 4950, doubled 0 .. 198
// chain: 0 1 1 2 3 5 8 13 21 34
// break: found 37
// killed: yes
// left over: 0
// expect-stderr: no findings
#include <stdio.h>
#include <stdlib.h>

#include "svp.h"

struct sum {
    int count;
    int *numbers, *twice;
    int total;
};

static void add(int index, void *arguments)
{
    struct sum *sum = arguments;

    (void)index;
    for (int n = 0; n < sum->count; n++) {
        sum->total += sum->numbers[n];
        sum->twice[n] = 2 * sum->numbers[n];
    }
}

static void describe_sum(struct svp_data *data, void *arguments)
{
    struct sum *sum = arguments;

    SVP_INPUT(data, sum->count);
    SVP_INPUTS(data, sum->numbers, sum->count);
    SVP_OUTPUTS(data, sum->twice, sum->count);
    SVP_OUTPUT(data, sum->total);
}

static const struct svp_function sum_up = {.name = "sum_up",
                                           .run = add,
                                           .describe = describe_sum,
                                           .arguments = sizeof(struct sum)};

struct row {
    int count, *result;
};

/* The sequence of Fibonacci: each thread reads what the two before wrote. */
static void fibonacci(int index, void *arguments)
{
    int64_t last = svp_shared(0).i, before = svp_shared(1).i;

    svp_pass_shared(1, svp_int(last));
    svp_pass_shared(0, svp_int(last + before));
    ((struct row *)arguments)->result[index] = (int)(last + before);
}

static void describe_row(struct svp_data *data, void *arguments)
{
    struct row *row = arguments;

    SVP_INPUT(data, row->count);
    SVP_INOUTS(data, row->result, row->count);
}

static const struct svp_function sequence = {.name = "fibonacci",
                                             .run = fibonacci,
                                             .describe = describe_row,
                                             .arguments = sizeof(struct row),
                                             .shared = 2};

static void search(int index, void *arguments)
{
    (void)arguments;
    if (index * index == 37 * 37)
        svp_break(svp_int(index));
    svp_yield();
}

static const struct svp_function find = {.name = "search", .run = search};

static void endless(int index, void *arguments)
{
    static const struct svp_function again = {.name = "endless",
                                              .run = endless};
    svp_family deeper;

    (void)arguments;
    (void)svp_alloc(100);
    if (index > 0)
        svp_create(&deeper, svp_place_of(index), index - 1, index, 1, 0, &again,
                   NULL);
    for (;;)
        svp_yield();
}

static const struct svp_function no_end = {.name = "endless", .run = endless};

int main(int argc, char **argv)
{
    svp_family family;

    (void)argc;
    svp_start((enum svp_transport)atoi(argv[1]), atoi(argv[2]));

    struct sum sum = {.count = 100,
                      .numbers = svp_alloc(100 * sizeof(int)),
                      .twice = svp_alloc(100 * sizeof(int))};
    for (int n = 0; n < 100; n++)
        sum.numbers[n] = n;
    svp_create(&family, svp_place_of(1), 0, 1, 1, 0, &sum_up, &sum);
    svp_sync(&family);
    printf("far: sum %d, doubled %d .. %d\n", sum.total, sum.twice[0],
           sum.twice[99]);

    struct row row = {.count = 10, .result = svp_alloc(10 * sizeof(int))};
    row.result[0] = 0;
    row.result[1] = 1;
    svp_create(&family, svp_place_of(1), 2, 10, 1, 0, &sequence, &row);
    svp_put_shared(&family, 0, svp_int(1));
    svp_put_shared(&family, 1, svp_int(0));
    svp_sync(&family);
    printf("chain:");
    for (int n = 0; n < 10; n++)
        printf(" %d", row.result[n]);
    printf("\n");

    svp_create(&family, svp_place_of(1), 0, 1000, 1, 4, &find, NULL);
    if (svp_sync(&family) == SVP_BROKEN)
        printf("break: found %d\n", (int)family.broken_by.i);

    svp_create(&family, svp_place_of(1), 1, 2, 1, 0, &no_end, NULL);
    svp_kill(&family);
    printf("killed: %s\n", svp_sync(&family) == SVP_KILLED ? "yes" : "no");

    svp_free(sum.numbers);
    svp_free(sum.twice);
    svp_free(row.result);
    printf("left over: %d\n", svp_end());
    return 0;
}
