// SPDX-License-Identifier: GPL-2.0-only
/*
 * scc_end.c: how Linux ends on a core: a record in the host channel, with an
 * exit code, after which the core halts.
 *
 * A number that is written to /dev/rckexit ends Linux with that exit code, at
 * once and without a word; halt, power-off and reboot end with 0.
 */
#include <linux/fs.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/notifier.h>
#include <linux/panic_notifier.h>
#include <linux/pm.h>
#include <linux/reboot.h>

#include <asm/reboot.h>

#include "scc.h"

static void __iomem *channel;

static void record(u32 reason, u32 code)
{
	writel(reason, channel + SCC_HOST_EXIT_REASON);
	writel(code, channel + SCC_HOST_EXIT_CODE);
	writel(1, channel + SCC_HOST_EXIT_DONE);
}

static void __noreturn rest(void)
{
	for (;;)
		asm volatile("cli; hlt" : : : "memory");
}

static void power_off(void)
{
	record(SCC_EXIT_NORMAL, 0);
	rest();
}

static void restart(char *command)
{
	power_off();
}

static ssize_t write_code(struct file *file, const char __user *text,
			  size_t length, loff_t *at)
{
	unsigned int code;
	int result = kstrtouint_from_user(text, length, 0, &code);

	if (result)
		return result;
	record(SCC_EXIT_NORMAL, code & 0xff);
	rest();
}

static const struct file_operations operations = {
	.write = write_code,
	.llseek = noop_llseek,
};

static struct miscdevice device = {MISC_DYNAMIC_MINOR, "rckexit", &operations,
				   .mode = 0600};

static int on_panic(struct notifier_block *block, unsigned long event,
		    void *data)
{
	record(SCC_EXIT_PANIC, 0);
	return NOTIFY_DONE;
}

static struct notifier_block panic_block = {.notifier_call = on_panic};

static int __init register_end(void)
{
	channel =
		ioremap(SCC_HOST_CHANNEL_OF(scc_core), SCC_HOST_CHANNEL_STRIDE);
	if (!channel)
		return -ENOMEM;
	pm_power_off = power_off;
	machine_ops.power_off = power_off;
	machine_ops.halt = power_off;
	machine_ops.restart = restart;
	atomic_notifier_chain_register(&panic_notifier_list, &panic_block);
	return 0;
}
core_initcall_sync(register_end);

static int __init register_device(void)
{
	return misc_register(&device);
}
device_initcall(register_device);
