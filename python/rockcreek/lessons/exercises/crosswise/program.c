/* Two threads move money between two accounts, each account under its lock. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

struct account {
    pthread_mutex_t lock;
    int money;
};

static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 100},
                                     {PTHREAD_MUTEX_INITIALIZER, 100}};

static void move(struct account *from, struct account *to, int amount)
{
    pthread_mutex_lock(&from->lock);
    usleep(1000); /* somebody looks at the balance */
    pthread_mutex_lock(&to->lock);
    from->money -= amount;
    to->money += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *there(void *nothing)
{
    move(&accounts[0], &accounts[1], 30);
    return nothing;
}

static void *back(void *nothing)
{
    move(&accounts[1], &accounts[0], 10);
    return nothing;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, there, NULL);
    pthread_create(&threads[1], NULL, back, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    printf("%d and %d\n", accounts[0].money, accounts[1].money);
    return 0;
}
