// Addresses without a promise of memory (MAP_NORESERVE) take nothing from what other
// mappings are promised; what is promised is there for all of them together.
// run: -n 1
// also: --kernel l4
// expect-stdout:
// five eighths of the memory, twice: no; once: yes
// beside ten eighths without a promise: yes
// beside what is left of them: yes
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>

static size_t most;

static char *map(size_t bytes, int more)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | more, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

static const char *can(char *memory)
{
    return memory ? "yes" : "no";
}

int main(void)
{
    struct sysinfo all;

    sysinfo(&all);
    most = (size_t)all.totalram / 8 * 5 & ~4095ul;
    char *first = map(most, 0);
    printf("five eighths of the memory, twice: %s", can(map(most, 0)));
    munmap(first, most);
    first = map(most, 0);
    printf("; once: %s\n", can(first));
    munmap(first, most);

    char *large = map(2 * most, MAP_NORESERVE), *second = map(most, 0);
    printf("beside ten eighths without a promise: %s\n", can(second));
    large[0] = large[2 * most - 1] = 1;
    munmap(second, most);
    munmap(large + 4096, most);
    munmap(large, 4096);
    second = map(most, 0);
    printf("beside what is left of them: %s\n", can(second));
    return !first || !large || !second;
}
