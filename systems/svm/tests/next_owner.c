// A page that several wait for goes to the next rank after its owner's: nobody
// is passed by. No mail and no fault: the owner vector and the notes alone.
// cc: -O2 -I${system}/owner
// run: -n 1 --tag none
// expect-stdout:
// owner 2 gives to 3 4 5 0 1, then keeps it
// owner 5 gives to 0 3, then keeps it
#include "../owner/owner.c"

#include <stdio.h>

struct svm_owner_pages svm_owner_pages;

static volatile uint32_t owners[1], waiting[1][2];
static int closed;

static void close_page(uint32_t page)
{
    closed += page == 0;
}

static void hand_around(uint32_t first, uint32_t ranks)
{
    int handed = 0;

    svm_owner_pages = (struct svm_owner_pages){.owner = owners,
                                               .waiting = waiting,
                                               .rank = first,
                                               .close = close_page};
    owners[0] = first;
    waiting[0][0] = ranks;
    closed = 0;
    printf("owner %u gives to ", (unsigned)first);
    for (; waiting[0][0]; handed++) {
        svm_owner_hand_over(0);
        if (owners[0] == svm_owner_pages.rank)
            break;
        printf("%u%s", (unsigned)owners[0], waiting[0][0] ? " " : ", ");
        svm_owner_pages.rank = owners[0];
    }
    svm_owner_hand_over(0);
    puts(owners[0] == svm_owner_pages.rank && closed == handed ? "then keeps it"
                                                               : "and more");
}

int main(void)
{
    hand_around(2, 0x3b);
    hand_around(5, 0x09);
    return 0;
}
