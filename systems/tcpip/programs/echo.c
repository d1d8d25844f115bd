/* echo.c: rank 0 is an echo server, all others are its clients. Nothing here
 * but BSD sockets: the server's loop is select's, a client tries to connect
 * until the server listens (client.h).
 *
 *     rck cc -O2 systems/tcpip/programs/echo.c -llwip -ltcpip -o echo
 *     rck run -q -n 4 --tag none echo
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client.h"
#include "tcpip.h"

#define PORT 7
#define SERVER "192.168.4.1"

static struct sockaddr_in server_address(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons(PORT)};

    inet_pton(AF_INET, SERVER, &address.sin_addr);
    return address;
}

/* Sends back what comes; 0 when the client has closed. */
static int echo(int client)
{
    char text[2048];
    ssize_t got = recv(client, text, sizeof text, 0);

    if (got < 0)
        fail("recv");
    if (got > 0 && send(client, text, (size_t)got, 0) != got)
        fail("send");
    return got > 0;
}

static void serve(int clients)
{
    struct sockaddr_in address = server_address();
    int listener = socket(AF_INET, SOCK_STREAM, 0), most = listener;
    fd_set open_ones, ready;

    if (listener < 0 || bind(listener, (void *)&address, sizeof address) < 0 ||
        listen(listener, 48) < 0)
        fail("listen");
    FD_ZERO(&open_ones);
    FD_SET(listener, &open_ones);
    while (clients > 0) {
        ready = open_ones;
        if (select(most + 1, &ready, NULL, NULL, NULL) < 0)
            fail("select");
        for (int fd = 0; fd <= most; fd++) {
            if (!FD_ISSET(fd, &ready))
                continue;
            if (fd == listener) {
                int client = accept(listener, NULL, NULL);

                if (client < 0)
                    fail("accept");
                FD_SET(client, &open_ones);
                most = client > most ? client : most;
            } else if (!echo(fd)) {
                FD_CLR(fd, &open_ones);
                close(fd);
                clients--;
            }
        }
    }
    printf("the last client has gone\n");
}

static void ask(int rank)
{
    char said[64], heard[64];
    int fd = reach(server_address(), 0), length;
    size_t have = 0;

    length = snprintf(said, sizeof said, "hello from 192.168.4.%d", rank + 1);
    if (send(fd, said, (size_t)length, 0) != length)
        fail("send");
    while (have < (size_t)length) {
        ssize_t got = recv(fd, heard + have, sizeof heard - have, 0);

        if (got <= 0)
            fail("recv");
        have += (size_t)got;
    }
    if (memcmp(said, heard, have) != 0)
        fail("other words came back");
    printf("%.*s\n", (int)have, heard);
    close(fd);
}

int main(void)
{
    if (tcpip_rank() == 0)
        serve(tcpip_ranks() - 1);
    else
        ask(tcpip_rank());
    return 0;
}
