// Files in memory: memfd_create, shm_open and sem_open without any shared
// folder; two mappings show one memory, which outlives name and descriptor.
// run: -n 1
// also-slow: --kernel l4
// expect-stdout:
// memfd 5 hello, size 5, link /memfd:note
// both mappings 42 and 43, by read 43
// a private one stays 43
// grown to 1000000: first 7, last 9, between 0
// beyond its end: signal 7
// shm again: -1 17, the other's 4711
// gone: -1 2, mapped still 4711
// renamed: -1 2, then 4
// refused: -1 13 and -1 21
// semaphore 1, then 0, unlinked -1
// 40 files one after the other
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096
#define BOTH PROT_READ | PROT_WRITE

static sigjmp_buf back;

static void first(void)
{
    int fd = memfd_create("note", MFD_CLOEXEC);
    char text[8] = "", link[32] = "", name[32];
    struct stat status;

    write(fd, "hello", 5);
    lseek(fd, 0, SEEK_SET);
    printf("memfd %ld", (long)read(fd, text, sizeof text));
    fstat(fd, &status);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    readlink(name, link, sizeof link - 1);
    printf(" %s, size %ld, link %s\n", text, (long)status.st_size, link);
    close(fd);
}

static void mappings(void)
{
    int fd = memfd_create("pages", 0), read_back;
    int *a, *b, *c;

    ftruncate(fd, 2 * PAGE);
    a = mmap(NULL, 2 * PAGE, BOTH, MAP_SHARED, fd, 0);
    b = mmap(NULL, PAGE, BOTH, MAP_SHARED, fd, PAGE);
    a[PAGE / sizeof *a] = 42;
    printf("both mappings %d", b[0]);
    b[0]++;
    pread(fd, &read_back, sizeof read_back, PAGE);
    printf(" and %d, by read %d\n", a[PAGE / sizeof *a], read_back);
    c = mmap(NULL, PAGE, BOTH, MAP_PRIVATE, fd, PAGE);
    b[0] = 44;
    printf("a private one stays %d\n", c[0]);
    ftruncate(fd, 1000000);
    b = mmap(NULL, 1000000, BOTH, MAP_SHARED, fd, 0);
    b[0] = 7;
    b[249999] = 9;
    pread(fd, &read_back, sizeof read_back, 999996);
    printf("grown to 1000000: first %d, last %d, between %d\n", a[0], read_back,
           b[100000]);
    munmap(a, 2 * PAGE);
    munmap(b, 1000000);
    munmap(c, PAGE);
    close(fd);
}

static void on_bus(int number)
{
    siglongjmp(back, number);
}

static void beyond(void)
{
    int fd = memfd_create("short", 0), number;
    volatile char *at;

    ftruncate(fd, PAGE);
    at = mmap(NULL, 2 * PAGE, BOTH, MAP_SHARED, fd, 0);
    at[PAGE - 1] = 1;
    signal(SIGBUS, on_bus);
    number = sigsetjmp(back, 1);
    if (!number)
        at[PAGE] = 1;
    printf("beyond its end: signal %d\n", number);
    munmap((void *)at, 2 * PAGE);
    close(fd);
}

static void by_name(void)
{
    int fd = shm_open("/table", O_CREAT | O_EXCL | O_RDWR, 0600), other, again;
    int *a, *b;

    ftruncate(fd, PAGE);
    a = mmap(NULL, PAGE, BOTH, MAP_SHARED, fd, 0);
    again = shm_open("/table", O_CREAT | O_EXCL | O_RDWR, 0600);
    printf("shm again: %d %d", again, errno);
    other = shm_open("/table", O_RDONLY, 0);
    b = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, other, 0);
    *a = 4711;
    printf(", the other's %d\n", *b);
    shm_unlink("/table");
    close(fd);
    close(other);
    again = shm_open("/table", O_RDWR, 0);
    printf("gone: %d %d, mapped still %d\n", again, errno, *b);
    munmap(a, PAGE);
    munmap(b, PAGE);
}

static void renamed(void)
{
    int fd = open("/dev/shm/a", O_CREAT | O_WRONLY, 0600), old;
    struct stat status;

    write(fd, "four", 4);
    close(fd);
    rename("/dev/shm/a", "/dev/shm/b");
    old = open("/dev/shm/a", O_RDONLY);
    printf("renamed: %d %d, ", old, errno);
    stat("/dev/shm/b", &status);
    printf("then %ld\n", (long)status.st_size);
    unlink("/dev/shm/b");
}

static void refused(void)
{
    int fd = memfd_create("r", 0), name = open("/dev/shm", O_RDWR);
    int number = errno;
    int only = shm_open("/only", O_CREAT | O_RDONLY, 0600);
    void *at = mmap(NULL, PAGE, BOTH, MAP_SHARED, only, 0);

    printf("refused: %d %d and %d %d\n", at == MAP_FAILED ? -1 : 0, errno, name,
           number);
    shm_unlink("/only");
    close(only);
    close(fd);
}

static void semaphores(void)
{
    sem_t *a = sem_open("/turn", O_CREAT, 0600, 1), *b = sem_open("/turn", 0);
    int before, after;

    sem_getvalue(b, &before);
    sem_wait(a);
    sem_getvalue(b, &after);
    sem_close(a);
    sem_unlink("/turn");
    printf("semaphore %d, then %d, unlinked %d\n", before, after,
           sem_open("/turn", 0) == SEM_FAILED ? -1 : 0);
}

/* More than there can be at one time: each is gone when it is closed. */
static void many(void)
{
    int made = 0;

    for (int n = 0; n < 40; n++) {
        int fd = memfd_create("one of many", 0);

        made += fd >= 0 && write(fd, "x", 1) == 1;
        close(fd);
    }
    printf("%d files one after the other\n", made);
}

int main(void)
{
    first();
    mappings();
    beyond();
    by_name();
    renamed();
    refused();
    semaphores();
    many();
    return 0;
}
