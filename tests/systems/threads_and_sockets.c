// Threads and sockets in one program: four threads on four cores answer main
// over a stream past the stack; files of the program are closed as before.
// cc: -O1 -pthread -ltcpip
// run: -n 4 --tag none
// expect-stdout:
// 3 clients, sum 12000
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tcpip.h"

#define CLIENTS 3
#define WORDS 1000
#define PORT 7000

static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct sockaddr_in server(void)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_port = htons(PORT)};

    name.sin_addr.s_addr = htonl(0xc0a80401u);
    return name;
}

static void all(int fd, char *words, size_t bytes, int out)
{
    for (ssize_t part; bytes; bytes -= (size_t)part, words += part) {
        part = out ? write(fd, words, bytes) : read(fd, words, bytes);
        if (part <= 0) {
            perror("part");
            exit(2);
        }
    }
}

static void *client(void *argument)
{
    struct sockaddr_in name = server();
    int fd = socket(AF_INET, SOCK_STREAM, TCPIP_BYPASS), words[WORDS], own = 0;

    if (connect(fd, (void *)&name, sizeof name)) {
        perror("connect");
        exit(3);
    }
    for (int n = 0; n < WORDS; n++)
        words[n] = (int)(long)argument;
    all(fd, (char *)words, sizeof words, 1);
    memset(words, 0, sizeof words);
    all(fd, (char *)words, sizeof words, 0);
    for (int n = 0; n < WORDS; n++)
        own += words[n];
    close(fd);
    pthread_mutex_lock(&lock);
    sum += own;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    int listener = socket(AF_INET, SOCK_STREAM, TCPIP_BYPASS);
    struct sockaddr_in name = server();
    pthread_t thread[CLIENTS];
    int words[WORDS], clients = 0;

    if (bind(listener, (void *)&name, sizeof name) || listen(listener, 8))
        return 1;
    for (long n = 0; n < CLIENTS; n++)
        pthread_create(&thread[n], NULL, client, (void *)(n + 1));
    for (; clients < CLIENTS; clients++) {
        int fd = accept(listener, NULL, NULL);

        all(fd, (char *)words, sizeof words, 0);
        for (int n = 0; n < WORDS; n++)
            words[n] *= 2;
        all(fd, (char *)words, sizeof words, 1);
        close(fd);
    }
    for (int n = 0; n < CLIENTS; n++)
        pthread_join(thread[n], NULL);
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file || fclose(file))
        return 4;
    printf("%d clients, sum %d\n", clients, sum);
    return 0;
}
