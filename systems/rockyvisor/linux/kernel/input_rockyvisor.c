// SPDX-License-Identifier: GPL-2.0-only
/*
 * input_rockyvisor.c: /dev/hostin: the machine's input, a line at a time, by
 * the hypervisor's own page.
 */
#include <linux/fs.h>
#include <linux/io.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "service.h"

#define LONGEST 1024

static DEFINE_MUTEX(one_reader);
static void __iomem *page;

static ssize_t input_read(struct file *file, char __user *to, size_t count,
			  loff_t *offset)
{
	size_t room = min_t(size_t, count, LONGEST);
	char *line = kmalloc(LONGEST, GFP_KERNEL);
	struct service_ask ask = {
		.what = SERVICE_INPUT,
		.reply = (unsigned int)line,
		.room = room,
		.result = SERVICE_FAILED,
	};
	ssize_t result;

	if (!line)
		return -ENOMEM;
	/* The answer is in one place until it is copied. */
	mutex_lock(&one_reader);
	writel((unsigned int)&ask, page + SERVICE_ASK);
	mutex_unlock(&one_reader);
	result = READ_ONCE(ask.result);
	if (result < 0 || result > room)
		result = -EIO;
	else if (copy_to_user(to, line, result))
		result = -EFAULT;
	kfree(line);
	return result;
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.read = input_read,
	.llseek = no_llseek,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "hostin",
	.fops = &operations,
	.mode = 0444,
};

static int __init input_start(void)
{
	page = ioremap(SERVICE_PAGE, PAGE_SIZE);
	if (!page)
		return -ENOMEM;
	if (readl(page + SERVICE_MAGIC) != SERVICE_MAGIC_WORD)
		return -ENODEV;
	return misc_register(&device);
}
device_initcall(input_start);
