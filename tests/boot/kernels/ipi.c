/*
 * ipi.c: core 0 interrupts core 47 through the FPGA's interrupt controller.
 * The status register names the sender; while an interrupt is pending no
 * other one comes. An atomic counter shows core 0 that core 47 is ready.
 */
#include "kernel.h"

#define FPGA SCC_FPGA_BASE
#define COUNTER (FPGA + SCC_FPGA_COUNTER_UPPER(0))
#define SENDER 0
#define TARGET 47
/* Status bit of an interrupt from the sender, in the low word. */
#define FROM_SENDER (1u << (6 + SENDER))

static volatile uint32_t taken;

void on_lint0(void)
{
    uint32_t status = load(FPGA + SCC_FPGA_GIC_STATUS(2 * TARGET));

    say(status == FROM_SENDER ? "interrupt from core 0\n" : "who was that?\n");
    taken++;
    end_lint0();
    store(FPGA + SCC_FPGA_GIC_RESET(2 * TARGET), status);
}

static void receive(void)
{
    uint32_t begin, low;

    take_lint0();
    store(FPGA + SCC_FPGA_GIC_CONFIG(TARGET), 0);
    store(FPGA + SCC_FPGA_GIC_MASK(2 * TARGET), ~FROM_SENDER);
    begin = load(FPGA + SCC_FPGA_TIMESTAMP_LOW);
    load(COUNTER); /* ready: adds one */
    sleep_until(&taken);
    low = load(FPGA + SCC_FPGA_TIMESTAMP_LOW);
    say(low - begin > 100 ? "time passed\n" : "the time stamp stands still\n");
}

void main(void)
{
    if (core_number() == TARGET) {
        receive();
        return;
    }
    while (load(COUNTER + 4) == 0)
        ;
    store(COUNTER, 0); /* any write subtracts one */
    say(load(COUNTER + 4) == 0 ? "sending\n" : "the counter is broken\n");
    store(FPGA + SCC_FPGA_GIC_REQUEST(2 * SENDER + 1), 1u << (TARGET - 32));
}
