// SPDX-License-Identifier: GPL-2.0-only
/*
 * scc_interrupts.c: the two pins of the local APIC.
 *
 * A core is interrupted by a bit of its GLCFG register, which drives a pin and
 * stays set until the core clears it: COM1 sets that of LINT0. Other cores ask
 * the FPGA's controller, which is set here to use LINT1; its status says who
 * asked. A bit that is set already raises no second interrupt, so a pin's bit
 * is cleared before its causes are looked at.
 *
 * Linux knows a PC's interrupt controller by `struct legacy_pic`. Ours takes
 * its place: its interrupts have fixed vectors, and two of them are the pins.
 */
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/kernel.h>

#include <asm/apic.h>
#include <asm/hw_irq.h>
#include <asm/i8259.h>
#include <asm/irq.h>
#include <asm/x86_init.h>

#include "scc.h"

#define PC_INTERRUPTS 16
#define FIRST_CORE_BIT 6
/* Behind the cores' bits is that of the management PC. */
#define HOST_SENDER BIT_ULL(SCC_CORES)

static void (*core_handler)(u64 senders);
static void (*host_handler)(void);

static u32 pin_register(unsigned int irq)
{
	return irq == SCC_IRQ_LINT0 ? APIC_LVT0 : APIC_LVT1;
}

static bool is_pin(unsigned int irq)
{
	return irq == SCC_IRQ_LINT0 || irq == SCC_IRQ_LINT1;
}

static void mask_pin(unsigned int irq)
{
	if (is_pin(irq))
		apic_write(pin_register(irq), APIC_DM_FIXED | APIC_LVT_MASKED |
						      ISA_IRQ_VECTOR(irq));
}

static void unmask_pin(unsigned int irq)
{
	if (is_pin(irq))
		apic_write(pin_register(irq),
			   APIC_DM_FIXED | ISA_IRQ_VECTOR(irq));
}

static void chip_mask(struct irq_data *data)
{
	mask_pin(data->irq);
}

static void chip_unmask(struct irq_data *data)
{
	unmask_pin(data->irq);
}

static void pin_down(unsigned int irq)
{
	u32 offset = SCC_CRB_GLCFG(scc_core % 2);
	u32 bit = irq == SCC_IRQ_LINT0 ? SCC_CRB_GLCFG_INTR : SCC_CRB_GLCFG_NMI;

	scc_tile_write(offset, scc_tile_read(offset) & ~bit);
}

/* A bit that was set before anybody listened would hide all later ones. */
static unsigned int chip_startup(struct irq_data *data)
{
	if (is_pin(data->irq))
		pin_down(data->irq);
	unmask_pin(data->irq);
	return 0;
}

static void chip_ack(struct irq_data *data)
{
	pin_down(data->irq);
	ack_APIC_irq();
}

static struct irq_chip pins = {
	.name = "LINT",
	.irq_startup = chip_startup,
	.irq_mask = chip_mask,
	.irq_unmask = chip_unmask,
	.irq_ack = chip_ack,
};

static void mask_all(void)
{
	mask_pin(SCC_IRQ_LINT0);
	mask_pin(SCC_IRQ_LINT1);
}

static void nothing(void)
{
}

static void init_nothing(int auto_eoi)
{
}

static int probe(void)
{
	return PC_INTERRUPTS;
}

static int never_pending(unsigned int irq)
{
	return 0;
}

static void make_irq(unsigned int irq)
{
}

static struct legacy_pic controller = {
	.nr_legacy_irqs = PC_INTERRUPTS,
	.chip = &pins,
	.mask = mask_pin,
	.unmask = unmask_pin,
	.mask_all = mask_all,
	.restore_mask = nothing,
	.init = init_nothing,
	.probe = probe,
	.irq_pending = never_pending,
	.make_irq = make_irq,
};

static void __init init_vectors(void)
{
	unsigned int irq;

	init_ISA_irqs();
	for (irq = 0; irq < PC_INTERRUPTS; irq++) {
		irq_set_chip_and_handler(irq, &pins, handle_edge_irq);
		irq_clear_status_flags(irq, IRQ_LEVEL);
	}
}

/* Linux gives the pins to a PC's interrupt controller, and they are not. */
static void __init init_mode(void)
{
	apic_intr_mode_init();
	mask_all();
}

void __init scc_interrupts_setup(void)
{
	legacy_pic = &controller;
	x86_init.irqs.pre_vector_init = init_vectors;
	x86_init.irqs.intr_mode_init = init_mode;
}

void scc_interrupt_core(unsigned int core)
{
	scc_fpga_write(SCC_FPGA_GIC_REQUEST(2 * scc_core + core / 32),
		       BIT(core % 32));
}

/* Who asked, and that the controller may interrupt this core again. */
static u64 take_senders(void)
{
	u32 low = scc_fpga_read(SCC_FPGA_GIC_STATUS(2 * scc_core));
	u32 high = scc_fpga_read(SCC_FPGA_GIC_STATUS(2 * scc_core + 1));

	scc_fpga_write(SCC_FPGA_GIC_RESET(2 * scc_core), low);
	scc_fpga_write(SCC_FPGA_GIC_RESET(2 * scc_core + 1), high);
	return ((u64)high << 32 | low) >> FIRST_CORE_BIT;
}

static irqreturn_t on_cores(int irq, void *unused)
{
	u64 senders = take_senders();

	if (core_handler && senders & (HOST_SENDER - 1))
		core_handler(senders & (HOST_SENDER - 1));
	if (host_handler && senders & HOST_SENDER)
		host_handler();
	return IRQ_HANDLED;
}

void scc_handle_interrupts_of_cores(void (*handler)(u64 senders))
{
	core_handler = handler;
}

void scc_handle_interrupts_of_host(void (*handler)(void))
{
	host_handler = handler;
}

static int __init listen_to_cores(void)
{
	int result = request_irq(SCC_IRQ_LINT1, on_cores, 0, "cores", NULL);

	if (result)
		return result;
	scc_fpga_write(SCC_FPGA_GIC_CONFIG(scc_core),
		       SCC_FPGA_GIC_CONFIG_LINT1);
	take_senders();
	scc_fpga_write(SCC_FPGA_GIC_MASK(2 * scc_core),
		       BIT(FIRST_CORE_BIT) - 1);
	scc_fpga_write(SCC_FPGA_GIC_MASK(2 * scc_core + 1), ~0u << 23);
	return 0;
}
subsys_initcall(listen_to_cores);
