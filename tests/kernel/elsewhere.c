// Mailboxes are made for the SCC's 48 cores: another chip has none.
// run: --chip scc-128 -n 1
// expect-stdout:
// /dev/rckmail: No such device
// /dev/rckbox: No such device
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char *const devices[] = {"/dev/rckmail", "/dev/rckbox"};

    for (int i = 0; i < 2; i++) {
        int fd = open(devices[i], O_RDWR);
        printf("%s: %s\n", devices[i], fd < 0 ? strerror(errno) : "there");
    }
    return 0;
}
