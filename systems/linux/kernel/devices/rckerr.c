// SPDX-License-Identifier: GPL-2.0-only
/*
 * rckerr.c: /dev/rckerr, the second serial port, COM2, for what a program
 * writes to stderr. It sends only, and is no terminal.
 *
 * Linux's own driver of serial ports would need an interrupt for it, whose pin
 * has the interrupts of other cores. The port takes a byte whenever it is
 * asked.
 */
#include <linux/fs.h>
#include <linux/io.h>
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/uaccess.h>

#include "scc.h"

#define AT_ONCE 256

static ssize_t send(struct file *file, const char __user *from, size_t count,
		    loff_t *at)
{
	u8 bytes[AT_ONCE];
	size_t n;

	count = min_t(size_t, count, AT_ONCE);
	if (copy_from_user(bytes, from, count))
		return -EFAULT;
	for (n = 0; n < count; n++) {
		while (!(inb(SCC_SERIAL_COM2 + SCC_SERIAL_LSR) &
			 SCC_SERIAL_LSR_HOLDING_EMPTY))
			cpu_relax();
		outb(bytes[n], SCC_SERIAL_COM2 + SCC_SERIAL_DATA);
	}
	return count;
}

static const struct file_operations operations = {
	.write = send,
	.llseek = noop_llseek,
};

static struct miscdevice device = {MISC_DYNAMIC_MINOR, "rckerr", &operations,
				   .mode = 0622};

static int __init register_port(void)
{
	return misc_register(&device);
}
device_initcall(register_port);
