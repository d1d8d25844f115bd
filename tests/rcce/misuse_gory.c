// Wrong arguments of the gory interface; flags, sizes and alignment.
// run: -n 2 --tag none
// also-slow: --kernel l4
// cc: -DGORY -lrcce
// expect-stdout:
// put: 1234324 1234323 1234322 1234325 1234329 1234328
// get: 1234324 1234322 1234323 1234325 1234329
// flags: 1234326 1234333 1234331 1234332 1234324 1234334
// wait: 1234333 1234332
// send: 1234324 1234326 1234325 1234322
// malloc: none for 0, none for 8192, 8160 at most
#include "RCCE.h"

static void one_sided(t_vcharp mpb)
{
    unsigned char line[64];
    printf("put: %d %d %d %d %d %d\n", RCCE_put(mpb, line, 32, 2),
           RCCE_put(mpb, NULL, 32, 1), RCCE_put(line, line, 32, 1),
           RCCE_put(mpb, line, 33, 1), RCCE_put(mpb + 4, line, 32, 1),
           RCCE_put(mpb, mpb, 32, RCCE_ue()));
    printf("get: %d %d %d %d %d\n", RCCE_get(line, mpb, 32, -1),
           RCCE_get(NULL, mpb, 32, 1), RCCE_get(line, line, 32, 1),
           RCCE_get(line, mpb, 0, 1), RCCE_get(line, mpb + 8, 32, 1));
}

static void flags(t_vcharp mpb)
{
    RCCE_FLAG flag, none = NULL, outside = (RCCE_FLAG)&flag;
    int status;
    RCCE_flag_alloc(&flag);
    printf("flags: %d %d %d %d %d %d\n", RCCE_flag_alloc(NULL),
           RCCE_flag_write(&none, RCCE_FLAG_SET, 0),
           RCCE_flag_write(&outside, RCCE_FLAG_SET, 0),
           RCCE_flag_write(&flag, 2, 0), RCCE_flag_read(flag, &status, 2),
           RCCE_flag_read(flag, NULL, 0));
    printf("wait: %d %d\n", RCCE_wait_until(none, RCCE_FLAG_SET),
           RCCE_wait_until(flag, 7));
    char byte[4];
    printf("send: %d %d %d %d\n", RCCE_send(byte, mpb, 32, &flag, &flag, 4, 9),
           RCCE_send(byte, mpb, 32, NULL, &flag, 4, 1),
           RCCE_send(byte, mpb, 31, &flag, &flag, 4, 1),
           RCCE_recv(byte, (t_vcharp)byte, 32, &flag, &flag, 4, 1));
    RCCE_flag_free(&flag);
}

int RCCE_APP(int argc, char **argv)
{
    size_t most;

    if (RCCE_init(&argc, &argv))
        return 1;
    t_vcharp mpb = RCCE_malloc(64);
    if (RCCE_ue() == 0) {
        one_sided(mpb);
        flags(mpb);
    }
    RCCE_free(mpb);
    RCCE_comm_free(&RCCE_COMM_WORLD);
    t_vcharp none = RCCE_malloc(0), large = RCCE_malloc(8192);
    t_vcharp rest = RCCE_malloc_request(10000, &most);
    if (RCCE_ue() == 0)
        printf("malloc: %s for 0, %s for 8192, %d at most\n",
               none ? "some" : "none", large ? "some" : "none",
               rest ? (int)most : -1);
    return 0;
}
