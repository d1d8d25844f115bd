/*
 * pipes.c: a child sends more bytes than a pipe holds; the reader sees all of
 * them, in order, and then the end. Nobody reads: the writer gets an error.
 */
#include "user.h"

#define BYTES 10000

static void send(int file)
{
    unsigned char byte;
    int n;

    for (n = 0; n < BYTES; n++) {
        byte = (unsigned char)(n * 7);
        write(file, &byte, 1);
    }
    exit(0);
}

int main(const char *argument)
{
    unsigned char buffer[300];
    int ends[2], bytes, n, total = 0, wrong = 0, status;

    (void)argument;
    pipe(ends);
    if (fork() == 0)
        send(ends[1]);
    close(ends[1]);
    while ((bytes = read(ends[0], buffer, sizeof buffer)) > 0)
        for (n = 0; n < bytes; n++)
            wrong += buffer[n] != (unsigned char)(total++ * 7);
    print("pipes: %d bytes, %d wrong\n", total, wrong);
    wait(0);

    close(ends[0]);
    pipe(ends);
    if (fork() == 0) {
        close(ends[0]);
        sleep(2); /* until the parent has closed its end */
        write(ends[1], "x", 1);
        exit(0);
    }
    close(ends[0]);
    wait(&status);
    print("pipes: writer without reader ended with %d\n", status);
    print("pipes: a file that is not open gives %d\n", read(7, buffer, 1));
    print("pipes: a bad address gives %d\n", write(1, (char *)0xC0000000, 1));
    return 0;
}
