/* mapping.c: what of the message buffers /dev/rckmpb maps. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>

#include "scc/memory_map.h"

#define PAGE 4096u
#define END (SCC_MPB_OWN + 0x01000000u)

static void try(const char *name, unsigned at, unsigned bytes)
{
    int file = open("/dev/rckmpb", O_RDWR);
    void *place = mmap(NULL, bytes, PROT_READ, MAP_SHARED, file, (off_t)at);

    if (place != MAP_FAILED)
        printf("%s: allowed\n", name);
    else
        printf("%s: %s\n", name, errno == EBUSY ? "busy" : "refused");
}

int main(void)
{
    try("below", SCC_MPB_BASE - 2 * PAGE, 2 * PAGE);
    try("across", SCC_MPB_BASE - PAGE, 2 * PAGE);
    try("within", SCC_MPB_BASE + PAGE, PAGE);
    try("last", END - PAGE, PAGE);
    try("above", END, PAGE);
    return 0;
}
