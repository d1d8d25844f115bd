// A shared folder without a tmp leaves /tmp in memory; what lies elsewhere is the folder's.
// run: -n 1
// share: yes
// also-slow: --kernel l4
// expect-stdout:
// in memory 5
// in the folder 0
// between both 18, root 0 root, /etc/settings 2
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void)
{
    int fd = open("/tmp/x", O_CREAT | O_RDWR, 0600);

    printf("in memory %ld\n", (long)write(fd, "hello", 5));
    close(fd);
    fd = open("/x", O_CREAT | O_RDWR, 0600);
    printf("in the folder %d\n", getpriority(PRIO_PROCESS, 0) - (fd < 0));
    printf("between both %d", rename("/tmp/x", "/y") ? errno : 0);
    printf(", %s %u %s", getpwuid(getuid())->pw_name,
           (unsigned)getpwnam("root")->pw_uid, getgrgid(0)->gr_name);
    printf(", /etc/settings %d\n",
           open("/etc/settings", O_RDONLY) < 0 ? errno : 0);
    return 0;
}
