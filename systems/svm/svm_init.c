/*
 * svm_init.c: devices, the control block, start and end.
 */
#include "svm_private.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "owner/owner.h"
#include "scc/memory_map.h"
#include "scc/registers.h"

struct svm_control *svm_control;
int svm_rank, svm_ranks;
int svm_core_of[RCCE_MAXNP];
int svm_mail = -1;
volatile uint32_t *svm_registers[RCCE_MAXNP];

void *svm_map(const char *device, void *at, uint32_t physical, size_t bytes,
              int protection)
{
    int fd = open(device, O_RDWR | O_SYNC);
    int fixed = at ? MAP_FIXED : 0;
    void *mapped =
        mmap(at, bytes, protection, MAP_SHARED | fixed, fd, (off_t)physical);

    if (mapped == MAP_FAILED)
        svm_fail("fewer or larger allocations use fewer mappings",
                 "%s: cannot map %zu bytes of physical 0x%08x", device, bytes,
                 (unsigned)physical);
    close(fd);
    return mapped;
}

/* The cores by rank, and their tiles' registers. */
static void read_launch(void)
{
    FILE *launch = fopen("/proc/rck/launch", "r");
    int cores = 0;

    if (!launch || fscanf(launch, "%d %*s", &cores) != 1 || cores != svm_ranks)
        svm_fail("run the program by `rck run`", "no launch data");
    for (int rank = 0; rank < cores; rank++) {
        int core;

        if (fscanf(launch, "%d", &core) != 1 || core < 0 || core >= RCCE_MAXNP)
            svm_fail("SVM needs an SCC of 48 cores", "rank %d has no core",
                     rank);
        svm_core_of[rank] = core;
        svm_registers[rank] =
            svm_map("/dev/rckncm", NULL,
                    SCC_CRB_BASE + (uint32_t)(core / 2) * SCC_CRB_BASE_STRIDE,
                    SVM_PAGE, PROT_READ | PROT_WRITE);
    }
    fclose(launch);
}

void svm_init(void)
{
    if (svm_control)
        svm_fail("call it once, after RCCE_init", "svm_init was called twice");
    svm_rank = RCCE_ue();
    svm_ranks = RCCE_num_ues();
    /* All of it: then it begins where the shared memory begins. */
    svm_control = (struct svm_control *)RCCE_shmalloc(RCCE_SHM_SIZE_MAX);
    if (!svm_control || RCCE_shmalloc(RCCE_LINE_SIZE))
        svm_fail("call svm_init before RCCE_shmalloc, build without SHMADD",
                 "svm_init finds no 64 MB of shared memory");
    read_launch();
    svm_mail = open("/dev/rckmail", O_RDWR);
    if (svm_mail < 0)
        svm_fail("SVM needs an SCC of 48 cores", "there are no mailboxes");
    if (svm_rank == 0) {
        for (int lock = 0; lock < SVM_LOCKS; lock++)
            svm_control->lock[lock] = 0;
        svm_control->dead = 0;
    }
    svm_strong_start();
    svm_signals_start();
    svm_watch_start();
    RCCE_barrier(&RCCE_COMM_WORLD);
}

void svm_finalize(void)
{
    svm_barrier(); /* nobody waits for a page of this core any more */
    svm_watch_end();
    svm_signals_end();
    close(svm_mail);
}

const struct svm_counts *svm_counts(void)
{
    return &owner_counted;
}
