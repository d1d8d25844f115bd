// A lock hands a buffer from one thread to the next.
// silence
#include <pthread.h>
#include <string.h>

#include "suite.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;
static char text[32];

static void *step(int mine)
{
    for (int n = 0; n < 3; n++) {
        pthread_mutex_lock(&lock);
        while (turn != mine)
            pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
        strcpy(text, mine ? "rock" : "creek");
        pthread_mutex_lock(&lock);
        turn = !mine;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *work(void *unused)
{
    (void)unused;
    return step(0);
}

static void *other(void *unused)
{
    (void)unused;
    return step(1);
}

PROGRAM(handed_over)
{
    pthread_t one, two;

    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, other, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
