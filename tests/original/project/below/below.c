/* A program that looks below the library: the original's private headers. */
#include "RCCE.h"
#include "RCCE_lib.h"
#include "SCC_API.h"
#include "iRCCE_lib.h"

static int wrong;

static void expect(int right, const char *what)
{
    if (!right) {
        wrong++;
        printf("UE %d: wrong: %s\n", RCCE_IAM, what);
    }
}

static void ranks(void)
{
    int id = ReadConfigReg(CRB_OWN + MYTILEID);

    expect(RCCE_IAM == RCCE_ue() && RCCE_NP == RCCE_num_ues(), "ranks");
    expect(RC_COREID[RCCE_IAM] == RC_MY_COREID, "own core");
    expect(PID(id >> 3 & 15, id >> 7 & 15, id & 7) == RC_MY_COREID, "tile");
    expect(RC_REFCLOCKGHZ > 0.53 && RC_REFCLOCKGHZ < 0.54, "clock");
    expect(PAD32byte(33) == 64 && PAD32byte(32) == 32, "padding");
}

/* By hand what RCCE_put does: the next UE's line, pushed out by the first. */
static void buffers(void)
{
    int next = (RCCE_IAM + 1) % RCCE_NP, last = RCCE_IAM;
    t_vcharp line = RCCE_malloc(RCCE_LINE_SIZE), mpb;
    size_t at = (size_t)(line - RCCE_comm_buffer[RCCE_IAM]);

    expect(line != NULL && at < (size_t)RCCE_BUFF_SIZE, "allocation");
    *(volatile int *)(RCCE_comm_buffer[next] + at) = 100 + RCCE_IAM;
    *RCCE_fool_write_combine_buffer = 1;
    RCCE_barrier(&RCCE_COMM_WORLD);
    RC_cache_invalidate();
    if (--last < 0)
        last = RCCE_NP - 1;
    expect(*(volatile int *)line == 100 + last, "neighbour's store");
    MPBalloc(&mpb, X_PID(RC_MY_COREID), Y_PID(RC_MY_COREID),
             Z_PID(RC_MY_COREID), 1);
    expect(mpb && *(volatile int *)(mpb + RCCE_LINE_SIZE + at) == 100 + last,
           "the same line by its address");
    MPBunalloc(&mpb);
    MPBalloc(&mpb, NUM_COLS, 0, 0, 0);
    expect(mpb == NULL, "no such tile");
    expect(RC_COMM_BUFFER_START(RCCE_IAM) == RCCE_fool_write_combine_buffer,
           "first line");
    expect(RCCE_chunk > 0 && RCCE_buff_ptr > line, "what messages go through");
    expect(*(volatile int *)RCCE_sent_flag[next] == RCCE_FLAG_UNSET, "flag");
    RCCE_free(line);
}

/* A counter in shared memory behind a lock register, without RCCE. */
static void lock(void)
{
    int core = RC_COREID[0], i;
    unsigned tile = CRB_ADDR(X_PID(core), Y_PID(core));
    volatile int *reg = MallocConfigReg(tile + (Z_PID(core) ? LOCK1 : LOCK0));
    volatile int *count;
    t_vcharp shared;

    SHMalloc(&shared);
    count = (volatile int *)shared;
    if (RCCE_IAM == 0)
        *count = 0;
    RCCE_barrier(&RCCE_COMM_WORLD);
    for (i = 0; i < 20; i++) {
        while (!(*reg & 1))
            ;
        ++*count;
        *reg = 0;
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    expect(*count == 20 * RCCE_NP, "count behind the lock");
    FreeConfigReg((int *)reg);
    SHMunalloc(&shared);
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_init(&argc, &argv);
    InitAPI(0);
    ranks();
    buffers();
    lock();
    expect(DCMflush() == 1, "flush");
    expect(RCCE_error_return(0, RCCE_ERROR_ID) == RCCE_ERROR_ID, "error");
    RCCE_barrier(&RCCE_COMM_WORLD);
    if (RCCE_IAM == 0)
        printf("below: %s\n", wrong ? "FAILED" : "passed");
    RCCE_finalize();
    return 0;
}
