// Lines of syslog go to stderr; well-known services have their ports.
// cc: -O1
// run: -n 1 --tag none
// expect-stdout:
// http 80, ssh 22, none 1
// expect-stderr: ^tool\[\d+\]: 3 of three$
// expect-stderr: ^tool: No such file or directory$
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <syslog.h>

static int port_of(const char *name, const char *protocol)
{
    const struct servent *service = getservbyname(name, protocol);

    return service ? ntohs((uint16_t)service->s_port) : -1;
}

int main(void)
{
    openlog("tool", LOG_PID, LOG_USER);
    syslog(LOG_INFO, "%d of %s", 3, "three");
    openlog("tool", 0, LOG_USER);
    setlogmask(LOG_UPTO(LOG_WARNING));
    syslog(LOG_INFO, "not written");
    errno = ENOENT;
    syslog(LOG_ERR, "%m\n");
    printf("http %d, ssh %d, none %d\n", port_of("http", "tcp"),
           port_of("ssh", NULL), getservbyname("none", NULL) == NULL);
    return 0;
}
