// Voltage and frequency of a domain: levels, dividers, who may, misuse; the
// divider is really what the tile runs at.
// run: --cores 0,1,2,12,4,47 --tag none
// cc: -DRC_POWER_MANAGEMENT -lrcce
// expect-stdout:
// domains 0 0 0 0 1 5, masters 0 0 0 0 4 5, sizes 4 4 4 4 1 1
// 8: divider 8 level 0
// 2: divider 2 level 4
// slower by 4.0, then faster again
// twice 1234338, none 1234341, stale 1234342, too fast 1234339, clipped 16
// no request 1234336, no result 1234334
#include "RCCE.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>

static volatile uint32_t *fpga;

/* FPGA time (125 MHz) that a loop of this core takes. */
static unsigned loop_time(void)
{
    unsigned start = fpga[0x224 / 4];
    for (volatile int i = 0; i < 20000; i++)
        ;
    return fpga[0x224 / 4] - start;
}

static void tell_domains(void)
{
    int mine[3] = {RCCE_power_domain(), RCCE_power_domain_master(),
                   RCCE_power_domain_size()};
    int all[6][3];
    if (RCCE_ue() > 0) {
        RCCE_send((char *)mine, sizeof mine, 0);
        return;
    }
    for (int i = 0; i < 3; i++)
        all[0][i] = mine[i];
    for (int ue = 1; ue < 6; ue++)
        RCCE_recv((char *)all[ue], sizeof mine, ue);
    const char *names[] = {"domains", ", masters", ", sizes"};
    for (int i = 0; i < 3; i++) {
        printf("%s", names[i]);
        for (int ue = 0; ue < 6; ue++)
            printf(" %d", all[ue][i]);
    }
    puts("");
}

static void misuse(RCCE_REQUEST *request)
{
    int f, v;
    RCCE_REQUEST other = *request;
    int none = RCCE_wait_power(&other);
    RCCE_iset_power(8, request, &f, &v);
    int twice = RCCE_iset_power(8, &other, &f, &v);
    other.release = 1;
    int stale = RCCE_wait_power(&other);
    RCCE_wait_power(request);
    int fast = RCCE_set_frequency_divider(2, &f);
    RCCE_set_frequency_divider(99, &f);
    printf("twice %d, none %d, stale %d, too fast %d, clipped %d\n", twice,
           none, stale, fast, f);
    printf("no request %d, no result %d\n", RCCE_iset_power(3, NULL, &f, &v),
           RCCE_set_frequency_divider(3, NULL));
}

int RCCE_APP(int argc, char **argv)
{
    RCCE_REQUEST request = {0};
    int f = 0, v = 0;
    if (RCCE_init(&argc, &argv))
        return 1;
    int fd = open("/dev/rckncm", O_RDWR | O_SYNC);
    fpga = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                (off_t)0xF9008000u);
    RCCE_barrier(&RCCE_P_COMM);
    tell_domains();
    if (RCCE_ue() == 0) {
        RCCE_iset_power(8, &request, &f, &v);
        printf("8: divider %d level %d\n", f, v);
        RCCE_wait_power(&request);
        unsigned slow = loop_time();
        RCCE_iset_power(2, &request, &f, &v);
        unsigned before = loop_time();
        RCCE_wait_power(&request);
        unsigned fast = loop_time();
        printf("2: divider %d level %d\n", f, v);
        printf("slower by %.1f, then %s\n", (double)slow / fast,
               before > 3 * fast ? "faster again" : "too early");
        misuse(&request);
    } else if (RCCE_ue() == 1) {
        if (RCCE_iset_power(5, &request, &f, &v) || f ||
            RCCE_wait_power(&request))
            return 2;
    }
    RCCE_barrier(&RCCE_COMM_WORLD);
    return RCCE_finalize();
}
