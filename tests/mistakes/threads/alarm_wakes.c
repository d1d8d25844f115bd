// No mistake: all threads sleep, and a signal's handler will wake one of them.
// cc: -O1 -g -pthread
// run: -n 2

#include <semaphore.h>
#include <signal.h>
#include <unistd.h>
static sem_t woken;
static void on_alarm(int number)
{
    (void)number;
    sem_post(&woken);
}
int main(void)
{
    sem_init(&woken, 0, 0);
    signal(SIGALRM, on_alarm);
    alarm(2);
    return sem_wait(&woken);
}
