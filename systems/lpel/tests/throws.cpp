// A C++ exception that leaves a task is reported with the task's name.
// cc: -O2 -llpel -lrcce
// run: -n 2 --tag none
// expect-exit: 1
// expect-stderr: lpel: core 1: task 'thrower': it aborted; a C\+\+ exception must not leave a task
#include <stdexcept>

#include "lpel.h"

static void task(void *)
{
    throw std::runtime_error("no reason");
}

static void build(void *)
{
    lpel_start(lpel_task_new("thrower", task, nullptr, 0, LPEL_ANY));
}

int main(int argc, char **argv)
{
    lpel_config config = {};

    lpel_init(&argc, &argv, &config);
    lpel_run(build, nullptr);
    lpel_finalize();
    return 0;
}
