// SPDX-License-Identifier: GPL-2.0-only
/*
 * rckjob.c: /proc/rck/launch, what a message-passing library asks of its
 * launcher: ranks, the clock in GHz, the cores in the order of their ranks,
 * and the rank of this core.
 *
 * Linux starts no jobs, so whoever does writes the text. It is empty until
 * then, which a library takes for no job.
 */
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>

#include "scc.h"

/* 48 cores, one by one, need 150 bytes. */
#define ROOM 512

static DEFINE_MUTEX(changing);
static char text[ROOM];
static size_t length;

static ssize_t read_text(struct file *file, char __user *to, size_t count,
			 loff_t *at)
{
	ssize_t result;

	mutex_lock(&changing);
	result = simple_read_from_buffer(to, count, at, text, length);
	mutex_unlock(&changing);
	return result;
}

/* A write replaces what is there. */
static ssize_t write_text(struct file *file, const char __user *from,
			  size_t count, loff_t *at)
{
	loff_t start = 0;
	ssize_t result;

	if (count > ROOM)
		return -EFBIG;
	mutex_lock(&changing);
	result = simple_write_to_buffer(text, ROOM, &start, from, count);
	if (result >= 0)
		length = result;
	mutex_unlock(&changing);
	return result;
}

static const struct proc_ops operations = {
	.proc_read = read_text,
	.proc_write = write_text,
	.proc_lseek = default_llseek,
};

static int __init make_entries(void)
{
	struct proc_dir_entry *folder = proc_mkdir("rck", NULL);

	if (!folder || !proc_create("launch", 0644, folder, &operations))
		return -ENOMEM;
	return 0;
}
device_initcall(make_entries);
