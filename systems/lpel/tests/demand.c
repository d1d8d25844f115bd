// The conductor gives out the task wanted most: most messages before it, less
// those behind it; a source comes last; of equals, who was ready first.
// cc: -O2 -I${system} -llpel -lrcce
// run: -n 1 --tag none
// expect-stdout:
// sink early late middle full source
// bound: other sink
#include "../demand/ready.c"

#include <stdio.h>

static struct lpel_stream inputs[8], outputs[8];

static struct lpel_task *task_with(struct lpel_task *task, const char *name,
                                   int before_it, int behind_it)
{
    static int used;
    struct lpel_stream *in = &inputs[used], *out = &outputs[used];

    used++;
    in->count = (uint32_t)before_it;
    out->count = (uint32_t)behind_it;
    task->name = name;
    task->number = (uint32_t)used;
    task->inputs = before_it < 0 ? NULL : in;
    task->outputs = out;
    task->home = LPEL_ANY;
    return task;
}

int main(void)
{
    struct lpel_task task[7] = {{0}};
    struct lpel_known *next;

    lpel_put_ready(lpel_know(task_with(&task[0], "source", -1, 0)));
    lpel_put_ready(lpel_know(task_with(&task[1], "early", 3, 1)));
    lpel_put_ready(lpel_know(task_with(&task[2], "full", 1, 4)));
    lpel_put_ready(lpel_know(task_with(&task[3], "late", 2, 0)));
    lpel_put_ready(lpel_know(task_with(&task[4], "sink", 5, 0)));
    lpel_put_ready(lpel_know(task_with(&task[5], "middle", 2, 1)));
    for (int n = 0; (next = lpel_take_ready(0, 0)); n++)
        printf("%s%s", n ? " " : "", next->task->name);
    puts("");
    task_with(&task[6], "other", 1, 0)->home = 3;
    lpel_put_ready(task[4].known);
    lpel_put_ready(lpel_know(&task[6]));
    printf("bound: %s", lpel_take_ready(3, 1)->task->name);
    printf(" %s\n", lpel_take_ready(3, 0)->task->name);
    return 0;
}
