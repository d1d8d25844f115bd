// What goes wrong on one core is an error number; a core reaches itself.
// cc: -O2 -ltcpip
// run: -n 1 --tag none --env TCPIP_SOCKETS=bypass
// expect-stderr: tcpip: 10\.0\.0\.1 is beyond the chip
// expect-stdout:
// a port that is in use: Address in use
// another core's address: Address not available
// a core that was not started: Host is unreachable
// another network: Network unreachable
// a listener that is not there: Connection refused
// not connected: Socket not connected
// not a socket: Not a socket
// too many sockets: No file descriptors available
// to itself: hello
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tcpip.h"

static void tell(const char *what, int result)
{
    printf("%s: %s\n", what, result < 0 ? strerror(errno) : "it works");
}

static struct sockaddr_in address(const char *host, int port)
{
    struct sockaddr_in in = {.sin_family = AF_INET,
                             .sin_port = htons((unsigned short)port)};

    inet_pton(AF_INET, host, &in.sin_addr);
    return in;
}

static int bind_to(int fd, const char *host, int port)
{
    struct sockaddr_in in = address(host, port);

    return bind(fd, (void *)&in, sizeof in);
}

static int connect_to(int fd, const char *host, int port)
{
    struct sockaddr_in in = address(host, port);

    return connect(fd, (void *)&in, sizeof in);
}

static int new_one(void)
{
    return socket(AF_INET, SOCK_STREAM, 0);
}

static void many(void)
{
    int fds[1000], used = 0;

    while (used < 1000 && (fds[used] = new_one()) >= 0)
        used++;
    tell("too many sockets", used < 1000 ? -1 : 0);
    while (used > 0)
        close(fds[--used]);
}

static void to_itself(int listener)
{
    char text[6] = "";
    int one = new_one(), other;

    if (connect_to(one, "192.168.4.1", 80) < 0)
        perror("connect");
    other = accept(listener, NULL, NULL);
    send(one, "hello", 5, 0);
    recv(other, text, 5, MSG_WAITALL);
    printf("to itself: %s\n", text);
}

int main(void)
{
    int listener = new_one(), fd = new_one();

    bind_to(listener, "192.168.4.1", 80);
    listen(listener, 1);
    tell("a port that is in use", bind_to(fd, "0.0.0.0", 80));
    tell("another core's address", bind_to(fd, "192.168.4.2", 81));
    tell("a core that was not started", connect_to(fd, "192.168.4.2", 80));
    tell("another network", connect_to(fd, "10.0.0.1", 80));
    tell("a listener that is not there", connect_to(fd, "192.168.4.1", 82));
    tell("not connected", (int)send(fd, "x", 1, 0));
    tell("not a socket", listen(1, 1));
    close(fd);
    many();
    to_itself(listener);
    return 0;
}
