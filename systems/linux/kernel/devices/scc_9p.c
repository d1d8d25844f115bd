// SPDX-License-Identifier: GPL-2.0-only
/*
 * scc_9p.c: 9P over the host channel: `mount -t 9p -o trans=scc host /host`.
 *
 * The host reads a request at the memory controller and writes the reply
 * there, past this core's caches, so both are in message memory. A call takes
 * a few microseconds, and the core waits for it.
 */
#include <linux/delay.h>
#include <linux/gfp.h>
#include <linux/module.h>
#include <linux/mutex.h>

#include <net/9p/9p.h>
#include <net/9p/client.h>
#include <net/9p/transport.h>

#include "scc.h"

/* 64 KB of data with what is around it; no folder has longer messages. */
#define BUFFER_SIZE (17 * PAGE_SIZE)
#define ALL_PAGES (2 * BUFFER_SIZE + PAGE_SIZE)

static DEFINE_MUTEX(one_call);
static void __iomem *channel, *request, *reply;
static phys_addr_t request_at, reply_at;

static int map_buffers(void)
{
	void *pages;

	if (request)
		return 0;
	pages = alloc_pages_exact(ALL_PAGES, GFP_KERNEL);
	if (!pages)
		return -ENOMEM;
	/* L1 and L2 hold no line of these pages from here on. */
	request_at = virt_to_phys(pages);
	reply_at = request_at + BUFFER_SIZE;
	scc_flush_caches();
	channel =
		ioremap(SCC_HOST_CHANNEL_OF(scc_core), SCC_HOST_CHANNEL_STRIDE);
	request = scc_map_messages(request_at, ALL_PAGES);
	if (!channel || !request)
		return -ENOMEM;
	reply = request + BUFFER_SIZE;
	return 0;
}

static u32 call_host(u32 length)
{
	u32 status;

	/* A store to another line empties the write-combine buffer. */
	writel(0, reply + BUFFER_SIZE);
	writel(request_at, channel + SCC_HOST_REQUEST_ADDRESS);
	writel(length, channel + SCC_HOST_REQUEST_LENGTH);
	writel(reply_at, channel + SCC_HOST_REPLY_ADDRESS);
	writel(BUFFER_SIZE, channel + SCC_HOST_REPLY_CAPACITY);
	writel(SCC_HOST_SERVICE_FILES, channel + SCC_HOST_DOORBELL);
	do {
		status = readl(channel + SCC_HOST_DOORBELL);
	} while (status == SCC_HOST_BUSY);
	scc_cl1invmb();
	return status;
}

static int p9_scc_request(struct p9_client *client, struct p9_req_t *req)
{
	int status = REQ_STATUS_ERROR;
	u32 length;

	mutex_lock(&one_call);
	memcpy_toio(request, req->tc.sdata, req->tc.size);
	WRITE_ONCE(req->status, REQ_STATUS_SENT);
	if (call_host(req->tc.size) == SCC_HOST_DONE) {
		length = readl(channel + SCC_HOST_REPLY_LENGTH);
		if (length <= req->rc.capacity) {
			memcpy_fromio(req->rc.sdata, reply, length);
			req->rc.size = length;
			status = REQ_STATUS_RCVD;
		}
	}
	mutex_unlock(&one_call);
	if (status == REQ_STATUS_ERROR)
		req->t_err = -EIO;
	p9_client_cb(client, req, status);
	return 0;
}

/* A request is answered before anything can ask to cancel it. */
static int p9_scc_cancel(struct p9_client *client, struct p9_req_t *req)
{
	return 1;
}

static int p9_scc_create(struct p9_client *client, const char *name, char *args)
{
	int result;

	mutex_lock(&one_call);
	result = map_buffers();
	mutex_unlock(&one_call);
	if (!result)
		client->status = Connected;
	return result;
}

static void p9_scc_close(struct p9_client *client)
{
	client->status = Disconnected;
}

static struct p9_trans_module transport = {
	.name = "scc",
	.maxsize = 16 * PAGE_SIZE,
	.def = 1,
	.create = p9_scc_create,
	.close = p9_scc_close,
	.request = p9_scc_request,
	.cancel = p9_scc_cancel,
	.owner = THIS_MODULE,
};

static int __init p9_scc_start(void)
{
	v9fs_register_trans(&transport);
	return 0;
}
device_initcall(p9_scc_start);
