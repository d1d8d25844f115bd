// The program asks for System V's shared memory, which processes of one system share.
// cc: -O1 -g
// run: -n 1
// expect-exit: 0
// expect-stderr: rck: core 00: shmget at main \(shared_between_processes\.c:\d+\) fails: a core runs one process
// expect-stderr: hint: threads share all memory .*; cores share what RCCE_shmalloc returns

#include <sys/ipc.h>
#include <sys/shm.h>

int main(void)
{
#ifndef MENDED
    shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
#endif
    return 0;
}
