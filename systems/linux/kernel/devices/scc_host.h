/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scc_host.h: memory for calls of the host, and the calls.
 */
#ifndef SCC_HOST_H
#define SCC_HOST_H

#include "scc.h"

/* A request and a reply, each of `size` bytes. */
struct scc_host_area {
	void __iomem *request, *reply;
	phys_addr_t request_at, reply_at;
	size_t size;
};

/* Makes the memory, if there is none yet. May sleep. */
int scc_host_map(struct scc_host_area *area, size_t size);

/* Sends the first bytes of the request, and waits for the reply. */
int scc_host_call(struct scc_host_area *area, u32 service, u32 length,
		  u32 *reply_length);

#endif
