// SPDX-License-Identifier: GPL-2.0-only
/*
 * trans_rockyvisor.c: 9P by the hypervisor's own page:
 * `mount -t 9p -o trans=rockyvisor host /host`.
 */
#include <linux/io.h>
#include <linux/module.h>
#include <linux/mutex.h>

#include <net/9p/9p.h>
#include <net/9p/client.h>
#include <net/9p/transport.h>

#include "service.h"

static DEFINE_MUTEX(one_message);
static void __iomem *page;

static int p9_rockyvisor_request(struct p9_client *client, struct p9_req_t *req)
{
	struct service_ask ask = {
		.what = SERVICE_FILES,
		.address = (unsigned int)req->tc.sdata,
		.count = req->tc.size,
		.reply = (unsigned int)req->rc.sdata,
		.room = req->rc.capacity,
		.result = SERVICE_FAILED,
	};
	int status = REQ_STATUS_ERROR;

	WRITE_ONCE(req->status, REQ_STATUS_SENT);
	mutex_lock(&one_message);
	writel((unsigned int)&ask, page + SERVICE_ASK);
	mutex_unlock(&one_message);
	if (READ_ONCE(ask.result) != SERVICE_FAILED) {
		req->rc.size = ask.result;
		status = REQ_STATUS_RCVD;
	} else {
		req->t_err = -EIO;
	}
	p9_client_cb(client, req, status);
	return 0;
}

/* A request is answered before anything can ask to cancel it. */
static int p9_rockyvisor_cancel(struct p9_client *client, struct p9_req_t *req)
{
	return 1;
}

static int p9_rockyvisor_create(struct p9_client *client, const char *name,
				char *args)
{
	client->status = Connected;
	return 0;
}

static void p9_rockyvisor_close(struct p9_client *client)
{
	client->status = Disconnected;
}

static struct p9_trans_module transport = {
	.name = "rockyvisor",
	.maxsize = SERVICE_MESSAGE,
	.def = 1,
	.create = p9_rockyvisor_create,
	.close = p9_rockyvisor_close,
	.request = p9_rockyvisor_request,
	.cancel = p9_rockyvisor_cancel,
	.owner = THIS_MODULE,
};

static int __init p9_rockyvisor_start(void)
{
	page = ioremap(SERVICE_PAGE, PAGE_SIZE);
	if (!page)
		return -ENOMEM;
	if (readl(page + SERVICE_MAGIC) != SERVICE_MAGIC_WORD)
		return -ENODEV;
	v9fs_register_trans(&transport);
	return 0;
}
device_initcall(p9_rockyvisor_start);
