/* /dev/rckmail and /dev/rckbox: mailboxes between cores [marc-2011].
 *
 * Every MPB half has, at its end, a line for each core: only that core fills
 * it, only the owner empties it; the first word says which it is. A mail is
 * written remotely and read locally. A write of a struct mail sends it (the
 * core in it is the receiver) and waits while the box is full; a read waits
 * for a mail (the core in it is the sender). Both are 32 bytes; a read of
 * more gets all mails that are there, as far as they fit. After fcntl has
 * set O_ASYNC, SIGIO notifies of a mail that came by interrupt.
 *
 * rckmail: the sender asks the global interrupt controller of the FPGA for
 * an interrupt; the receiver's handler learns from it which boxes to look
 * at, and keeps the mails until somebody reads them. rckbox: no interrupt;
 * a read looks at all boxes until there is a mail. A core that has opened
 * either gets the mails of both kinds of senders, those of rckbox only when
 * it looks.
 */
#include "abi/abi.h"
#include "abi/abi_file.h"
#include "abi/abi_signal.h"
#include "lib/options.h"
#include "lib/string.h"
#include "lib/types.h"
#include "lib/x86.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "messages/messages.h"
#include "open_files/file.h"
#include "process/signal.h"
#include "process/thread.h"
#include "scc/cache.h"
#include "scc/memory_map.h"
#include "scc/registers.h"

#define CORES 48u
#define MAIL_WORDS (SCC_LINE_SIZE / 4)
#define BOXES_SIZE (CORES * SCC_LINE_SIZE)
#define BOXES (SCC_MPB_SIZE_PER_CORE - BOXES_SIZE)
/* Status bits of the controller: IPI n is bit 6 + n of 64. */
#define FIRST_IPI 6u
#define IPI_BITS ((1ull << CORES) - 1)
/* Mails that were taken out of their boxes and not read yet. */
#define QUEUE 64u

struct mail {
    u32 core;
    u32 text[MAIL_WORDS - 1];
};

static volatile u32 *halves[CORES]; /* MPB halves, mapped at first use */
static u32 fpga;
static struct mail queue[QUEUE];
static u32 taken, given;
static bool announced;

static volatile u32 *half_of(u32 core)
{
    if (!halves[core]) {
        u32 address =
            SCC_MPB_BASE + (core / 2 << 24) + core % 2 * SCC_MPB_SIZE_PER_CORE;

        halves[core] = (volatile u32 *)vm_map_kernel(
            address, SCC_MPB_SIZE_PER_CORE, TYPE_MPBT);
    }
    return halves[core];
}

static volatile u32 *box(u32 owner, u32 sender)
{
    return half_of(owner) + (BOXES + sender * SCC_LINE_SIZE) / 4;
}

/* A line leaves the write-combine buffer when it is full, or when a store
 * hits another one: the first line of an MPB half is there for that. */
static void push(void)
{
    half_of(options.core)[0] = 0;
}

/* Takes a mail out of a box, if there is one and room for it; what L1 holds
 * of the box is fresh. */
static void take(u32 sender)
{
    volatile u32 *line = box(options.core, sender);
    struct mail *mail = &queue[taken % QUEUE];

    if (!line[0] || taken - given == QUEUE)
        return;
    mail->core = sender;
    for (u32 n = 1; n < MAIL_WORDS; n++)
        mail->text[n - 1] = line[n];
    taken++;
    scc_cl1invmb(); /* the store must not stay in L1 */
    line[0] = 0;
    push();
}

static void take_all(void)
{
    scc_cl1invmb();
    for (u32 sender = 0; sender < CORES; sender++)
        take(sender);
}

/* Who asked for the interrupt is known: only their boxes are looked at. They
 * are emptied last: a sender who finds its box empty may ask again at once,
 * and a reset that came later would lose that. The pin goes down first: a
 * request that comes between raises it again. Looked at first, the status may
 * be empty (the reset of its low word lets out what the high word still has),
 * and the request that came then would never be reset. */
void mailbox_interrupt(void)
{
    u32 core = options.core;
    u64 status;

    pin_interrupt();
    if (!fpga)
        return;
    status = read_register(fpga + SCC_FPGA_GIC_STATUS(2 * core)) |
             (u64)read_register(fpga + SCC_FPGA_GIC_STATUS(2 * core + 1)) << 32;
    if (status) {
        write_register(fpga + SCC_FPGA_GIC_RESET(2 * core), (u32)status);
        write_register(fpga + SCC_FPGA_GIC_RESET(2 * core + 1),
                       (u32)(status >> 32));
    }
    scc_cl1invmb();
    for (u32 sender = 0; sender < CORES; sender++)
        if (status >> (FIRST_IPI + sender) & 1)
            take(sender);
    if (announced && taken != given)
        signal_send(SIGIO, POLL_IN, POLLIN);
}

void mailbox_announce(bool by_signal)
{
    announced = by_signal;
}

void mailbox_open(bool interrupts)
{
    u64 mask = ~(IPI_BITS << FIRST_IPI);
    u32 core = options.core;

    /* The registers of the FPGA used here lie in two pages. */
    if (!fpga)
        fpga = vm_map_kernel(SCC_FPGA_BASE, 0x10000, TYPE_UNCACHED);
    if (!interrupts)
        return;
    pin_open();
    write_register(fpga + SCC_FPGA_GIC_CONFIG(core), 0);
    write_register(fpga + SCC_FPGA_GIC_MASK(2 * core), (u32)mask);
    write_register(fpga + SCC_FPGA_GIC_MASK(2 * core + 1), (u32)(mask >> 32));
}

/* Waits a moment; an error when the caller should not wait on. */
static s32 wait(const struct file *file, bool interrupts)
{
    if (file->flags & O_NONBLOCK)
        return -EAGAIN;
    if (signal_waiting())
        return -ERESTART;
    if (interrupts)
        wait_for_event();
    else
        thread_yield();
    return 0;
}

bool mailbox_ready(void)
{
    if (taken == given)
        take_all();
    return taken != given;
}

s32 mailbox_read(const struct file *file, void *buffer, u32 count,
                 bool interrupts)
{
    u32 used = 0;
    s32 error;

    if (count < sizeof(struct mail))
        return -EINVAL;
    while (taken == given) {
        /* A full queue, or a sender without interrupt, left some. */
        take_all();
        if (taken != given)
            break;
        error = wait(file, interrupts);
        if (error)
            return error;
    }
    while (taken != given && count - used >= sizeof(struct mail)) {
        memcpy((char *)buffer + used, &queue[given++ % QUEUE],
               sizeof(struct mail));
        used += sizeof(struct mail);
    }
    return (s32)used;
}

s32 mailbox_write(const struct file *file, const void *buffer, u32 count,
                  bool interrupts)
{
    struct mail mail;
    volatile u32 *line;
    s32 error;

    if (count != sizeof(mail))
        return -EINVAL;
    memcpy(&mail, buffer, sizeof(mail));
    if (mail.core >= CORES)
        return -ENXIO;
    line = box(mail.core, options.core);
    for (scc_cl1invmb(); line[0]; scc_cl1invmb()) {
        /* The receiver may wait for a box of this core. */
        take_all();
        error = wait(file, false);
        if (error)
            return error;
    }
    for (u32 n = 1; n < MAIL_WORDS; n++)
        line[n] = mail.text[n - 1];
    line[0] = 1;
    push();
    if (interrupts)
        write_register(
            fpga + SCC_FPGA_GIC_REQUEST(2 * options.core + mail.core / 32),
            1u << mail.core % 32);
    return (s32)sizeof(mail);
}
