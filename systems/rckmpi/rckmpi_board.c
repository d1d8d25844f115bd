/*
 * rckmpi_board.c: the board's place and lock.
 */
#include "rckmpi_board.h"
#include "SCC_API.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define BOARD_BYTES (512u * 1024)
_Static_assert(sizeof(struct board) <= BOARD_BYTES, "the board's pages");

static struct board *board;
static volatile uint32_t *lock;

static void map_board(void)
{
    int fd = open("/dev/rckncm", O_RDWR | O_SYNC);
    off_t place = (off_t)(SHM_ADDR + SHMSIZE - BOARD_BYTES);

    if (fd >= 0)
        board = mmap(NULL, BOARD_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                     place);
    if (fd < 0 || board == MAP_FAILED)
        rckmpi_refuse("the kernel does not map the shared memory",
                      "this needs /dev/rckncm");
    lock = (volatile uint32_t *)MallocConfigReg(CRB_ADDR(0, 0) + LOCK0);
}

struct board *rckmpi_board(void)
{
    if (!board)
        map_board();
    while (!(*lock & SCC_CRB_LOCK_FREE))
        ;
    return board;
}

void rckmpi_board_leave(void)
{
    *lock = 0;
}

void rckmpi_board_copy(void *to, const void *from, size_t bytes)
{
    for (size_t n = 0; n < (bytes + 3) / 4; n++)
        ((volatile uint32_t *)to)[n] = ((const volatile uint32_t *)from)[n];
}
