// SPDX-License-Identifier: GPL-2.0-only
/*
 * scc_9p.c: 9P over the host channel: `mount -t 9p -o trans=scc host /host`.
 *
 * The host knows one session of a core, which a version begins anew. Linux has
 * a client for each mount: the first one's version is that of all, and each has
 * fids of its own.
 */
#include <linux/idr.h>
#include <linux/module.h>
#include <linux/mutex.h>

#include <net/9p/9p.h>
#include <net/9p/client.h>
#include <net/9p/transport.h>

#include "scc_host.h"

/* 64 KB of data with what is around it; no folder has longer messages. */
#define BUFFER_SIZE (17 * PAGE_SIZE)
#define FIDS_OF_A_CLIENT 0x10000
/* Of a reply to a version: sizes, its kind and tag, the longest text. */
#define VERSION_SIZE 32
#define KIND_AT 4

static DEFINE_MUTEX(one_message);
static struct scc_host_area area;
static u8 version[VERSION_SIZE];
static u32 version_length;

/* Of what the host has answered once. */
static bool known(const struct p9_req_t *req, u32 *length)
{
	if (req->tc.sdata[KIND_AT] != P9_TVERSION || !version_length)
		return false;
	*length = version_length;
	memcpy(req->rc.sdata, version, version_length);
	return true;
}

static bool ask(const struct p9_req_t *req, u32 *length)
{
	memcpy_toio(area.request, req->tc.sdata, req->tc.size);
	if (scc_host_call(&area, SCC_HOST_SERVICE_FILES, req->tc.size,
			  length) ||
	    *length > req->rc.capacity)
		return false;
	memcpy_fromio(req->rc.sdata, area.reply, *length);
	if (req->tc.sdata[KIND_AT] == P9_TVERSION && *length <= VERSION_SIZE) {
		memcpy(version, req->rc.sdata, *length);
		version_length = *length;
	}
	return true;
}

static int p9_scc_request(struct p9_client *client, struct p9_req_t *req)
{
	int status = REQ_STATUS_ERROR;
	u32 length;

	mutex_lock(&one_message);
	WRITE_ONCE(req->status, REQ_STATUS_SENT);
	if (known(req, &length) || ask(req, &length)) {
		req->rc.size = length;
		status = REQ_STATUS_RCVD;
	}
	mutex_unlock(&one_message);
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
	static atomic_t clients;

	idr_init_base(&client->fids,
		      (atomic_inc_return(&clients) - 1) * FIDS_OF_A_CLIENT);
	client->status = Connected;
	return 0;
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
	int result = scc_host_map(&area, BUFFER_SIZE);

	/* A mount has no flush of the caches to wait for. */
	if (!result)
		v9fs_register_trans(&transport);
	return result;
}
device_initcall(p9_scc_start);
