// SPDX-License-Identifier: GPL-2.0-only
/*
 * rckpc.c: a network with the management PC, pc0.
 *
 * IP packets, one by one, over the host channel: a call sends one, another
 * call takes one. The PC interrupts the core when it has a packet for it. It
 * answers nobody unless `rck` was given --forward: what is sent then counts as
 * an error of the carrier.
 */
#include <linux/if_arp.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>

#include "scc_host.h"

#define LONGEST ETH_DATA_LEN

struct rckpc {
	struct napi_struct napi;
	struct scc_host_area area;
};

static struct net_device *the_device;

static netdev_tx_t transmit(struct sk_buff *skb, struct net_device *device)
{
	struct rckpc *pc = netdev_priv(device);
	u32 length;

	memcpy_toio(pc->area.request, skb->data, skb->len);
	if (scc_host_call(&pc->area, SCC_HOST_SERVICE_SEND, skb->len,
			  &length)) {
		device->stats.tx_carrier_errors++;
	} else {
		device->stats.tx_packets++;
		device->stats.tx_bytes += skb->len;
	}
	dev_consume_skb_any(skb);
	return NETDEV_TX_OK;
}

/* The next packet; none is a length of 0. */
static u32 next_length(struct rckpc *pc)
{
	u32 length;

	if (scc_host_call(&pc->area, SCC_HOST_SERVICE_RECEIVE, 0, &length))
		return 0;
	return length;
}

static void receive(struct rckpc *pc, u32 length)
{
	struct net_device_stats *counts = &the_device->stats;
	struct sk_buff *skb = NULL;

	if (length > LONGEST) {
		counts->rx_length_errors++;
		counts->rx_errors++;
		return;
	}
	skb = napi_alloc_skb(&pc->napi, length);
	if (!skb) {
		counts->rx_dropped++;
		return;
	}
	memcpy_fromio(skb_put(skb, length), pc->area.reply, length);
	skb_reset_mac_header(skb);
	skb->protocol = htons(ETH_P_IP);
	skb->dev = the_device;
	counts->rx_packets++;
	counts->rx_bytes += length;
	napi_gro_receive(&pc->napi, skb);
}

static int poll(struct napi_struct *napi, int budget)
{
	struct rckpc *pc = container_of(napi, struct rckpc, napi);
	int done = 0;

	while (done < budget) {
		u32 length = next_length(pc);

		if (!length)
			break;
		receive(pc, length);
		done++;
	}
	if (done < budget)
		napi_complete_done(napi, done);
	return done;
}

static void on_host(void)
{
	struct rckpc *pc = netdev_priv(the_device);

	if (netif_running(the_device))
		napi_schedule(&pc->napi);
}

static int open(struct net_device *device)
{
	struct rckpc *pc = netdev_priv(device);
	int result = scc_host_map(&pc->area, PAGE_SIZE);

	if (result)
		return result;
	napi_enable(&pc->napi);
	netif_start_queue(device);
	/* What the PC sent before is there without another interrupt. */
	local_bh_disable();
	napi_schedule(&pc->napi);
	local_bh_enable();
	return 0;
}

static int stop(struct net_device *device)
{
	struct rckpc *pc = netdev_priv(device);

	netif_stop_queue(device);
	napi_disable(&pc->napi);
	return 0;
}

static const struct net_device_ops operations = {
	.ndo_open = open,
	.ndo_stop = stop,
	.ndo_start_xmit = transmit,
};

static void setup(struct net_device *device)
{
	device->netdev_ops = &operations;
	device->type = ARPHRD_NONE;
	device->flags = IFF_POINTOPOINT | IFF_NOARP;
	device->mtu = LONGEST;
	device->max_mtu = LONGEST;
	device->tx_queue_len = 100;
}

static int __init rckpc_start(void)
{
	struct rckpc *pc;
	int result;

	the_device = alloc_netdev(sizeof(*pc), "pc%d", NET_NAME_ENUM, setup);
	if (!the_device)
		return -ENOMEM;
	pc = netdev_priv(the_device);
	netif_napi_add(the_device, &pc->napi, poll);
	result = register_netdev(the_device);
	if (result) {
		free_netdev(the_device);
		return result;
	}
	scc_handle_interrupts_of_host(on_host);
	return 0;
}
device_initcall(rckpc_start);
