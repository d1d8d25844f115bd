// The performance counters through /dev/cpu/0/msr: instructions and data reads
// between two looks, and what is refused.
// cc: -O2
// run: -n 1
// expect-stdout:
// reads 1000 or a few more: 1, instructions more: 1
// refused: 1 1 1 1
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#define USER_AND_KERNEL 3
#define DATA_READS 0x00
#define INSTRUCTIONS 0x16

static uint64_t counter(int fd, int number)
{
    uint64_t value = 0;

    pread(fd, &value, sizeof value, 0x12 + number);
    return value;
}

int main(void)
{
    static volatile int words[1000];
    int fd = open("/dev/cpu/0/msr", O_RDWR), sum = 0;
    uint64_t events = (DATA_READS | USER_AND_KERNEL << 6) |
                      (uint64_t)(INSTRUCTIONS | USER_AND_KERNEL << 6) << 16;

    if (fd < 0 || pwrite(fd, &events, sizeof events, 0x11) != 8)
        return 1;
    uint64_t reads = counter(fd, 0), instructions = counter(fd, 1);
    for (int i = 0; i < 1000; i++)
        sum += words[i];
    reads = counter(fd, 0) - reads;
    instructions = counter(fd, 1) - instructions;
    printf("reads 1000 or a few more: %d, instructions more: %d\n",
           sum + (reads >= 1000 && reads < 1600), instructions > 2000);
    printf("refused: %d %d %d %d\n", pread(fd, &reads, 8, 0x14) < 0,
           pread(fd, &reads, 4, 0x12) < 0, pwrite(fd, &reads, 8, 0x10) < 0,
           pwrite(fd, &reads, 8, 0xe) < 0);
    return 0;
}
