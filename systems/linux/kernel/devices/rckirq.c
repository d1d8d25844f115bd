// SPDX-License-Identifier: GPL-2.0-only
/*
 * rckirq.c: /dev/rckirq, by which a program waits for another core, which
 * interrupts this one by the INTR bit of its GLCFG: LINT0.
 *
 * A read waits until there is an interrupt that no read has reported. It gives
 * how many there were since the last read (4 bytes) and, if there is room, the
 * time stamp of the last one (8 bytes more). COM1 has the same pin, so those of
 * the console count, too: a program must look at what it waits for again.
 */
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include <asm/msr.h>

#include "scc.h"

struct report {
	u32 count;
	u64 time_stamp;
} __packed;

static DEFINE_MUTEX(opening);
static DECLARE_WAIT_QUEUE_HEAD(waiting);
static struct report unread;
static bool is_open;

static irqreturn_t on_pin(int irq, void *unused)
{
	unread.count++;
	unread.time_stamp = rdtsc();
	wake_up_interruptible(&waiting);
	return IRQ_HANDLED;
}

static int open(struct inode *inode, struct file *file)
{
	int result = 0;

	mutex_lock(&opening);
	if (!is_open) {
		result = request_irq(SCC_IRQ_LINT0, on_pin, IRQF_SHARED,
				     "rckirq", &unread);
		is_open = !result;
		/* What was set before somebody cared is no interrupt. */
		local_irq_disable();
		unread.count = 0;
		local_irq_enable();
	}
	mutex_unlock(&opening);
	if (result)
		return result;
	return stream_open(inode, file);
}

static ssize_t read(struct file *file, char __user *to, size_t size, loff_t *at)
{
	struct report report;

	if (size < sizeof(report.count))
		return -EINVAL;
	for (;;) {
		int result;

		local_irq_disable();
		report = unread;
		unread.count = 0;
		local_irq_enable();
		if (report.count)
			break;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		result = wait_event_interruptible(waiting, unread.count);
		if (result)
			return result;
	}
	size = size < sizeof(report) ? sizeof(report.count) : sizeof(report);
	return copy_to_user(to, &report, size) ? -EFAULT : size;
}

static __poll_t poll(struct file *file, poll_table *table)
{
	poll_wait(file, &waiting, table);
	return unread.count ? EPOLLIN | EPOLLRDNORM : 0;
}

static const struct file_operations operations = {
	.open = open,
	.read = read,
	.poll = poll,
	.llseek = no_llseek,
};

static struct miscdevice device = {MISC_DYNAMIC_MINOR, "rckirq", &operations,
				   .mode = 0444};

static int __init register_pin(void)
{
	return misc_register(&device);
}
device_initcall(register_pin);
