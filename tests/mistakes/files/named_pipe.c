// The program makes a named pipe.
// cc: -O1 -g
// run: -n 1
// expect-exit: 0
// expect-stderr: rck: core 00: mkfifo at main \(named_pipe\.c:\d+\) fails: there are no named pipes and device files
// expect-stderr: hint: pipe\(\) has two ends within the process; between cores go messages, or files below --share

#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
#ifdef MENDED
    int ends[2];

    return pipe(ends);
#else
    return mkfifo("/tmp/ends", 0600) == 0;
#endif
}
