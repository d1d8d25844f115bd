// SPDX-License-Identifier: GPL-2.0-only
/*
 * rckmb.c: an Ethernet between the cores, mb0.
 *
 * A frame goes into the ring of its receiver (rckmb_ring.c), whose core is
 * then interrupted if it rests. The address of core n is 192.168.0.(n + 1); a
 * hardware address ends with n. There is no ARP and no broadcast: Linux's
 * neighbour entries are filled from the IP address alone.
 *
 * Nothing is lost while receivers are alive: if a ring is full or its lock is
 * taken, the frame waits. After a second without any progress of a receiver it
 * counts as dead, and its frames are dropped until its ring moves.
 */
#include <linux/etherdevice.h>
#include <linux/hrtimer.h>
#include <linux/inetdevice.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>

#include <net/neighbour.h>

#include "rckmb.h"

#define RETRY_NS (50 * NSEC_PER_USEC)
#define PATIENCE HZ

struct rckmb {
	struct net_device *device;
	struct napi_struct napi;
	struct hrtimer retry;
	/* The receiver that is waited for, since when, and its tail then. */
	unsigned int stuck_core, stuck_tail;
	unsigned long stuck_since;
	bool stuck;
	DECLARE_BITMAP(dead, SCC_CORES);
	/* Receivers that have taken the last packet for them. */
	DECLARE_BITMAP(met, SCC_CORES);
};

static struct net_device *the_device;
struct net_device_stats *rckmb_counts;

bool rckmb_uses_mpb(void)
{
	return rckmb_in_mpb() && the_device && netif_running(the_device);
}

static enum hrtimer_restart on_retry(struct hrtimer *timer)
{
	struct rckmb *mb = container_of(timer, struct rckmb, retry);

	netif_wake_queue(mb->device);
	return HRTIMER_NORESTART;
}

/* Whether to wait on for this receiver. */
static bool has_patience(struct rckmb *mb, unsigned int core)
{
	unsigned int tail = rckmb_ring_tail(rckmb_ring_of(core));

	if (!mb->stuck || mb->stuck_core != core || mb->stuck_tail != tail) {
		if (test_bit(core, mb->dead) && mb->stuck_core == core &&
		    mb->stuck_tail == tail)
			return false;
		mb->stuck = true;
		mb->stuck_core = core;
		mb->stuck_tail = tail;
		mb->stuck_since = jiffies;
		return true;
	}
	if (time_before(jiffies, mb->stuck_since + PATIENCE))
		return true;
	netdev_warn(mb->device, "core %u takes no packets\n", core);
	set_bit(core, mb->dead);
	mb->stuck = false;
	return false;
}

static enum rckmb_result put(struct rckmb *mb, unsigned int core,
			     struct sk_buff *skb)
{
	enum rckmb_result result;
	int ring_bell = 0;

	if (!rckmb_lock(core))
		return RCKMB_FULL;
	result = rckmb_ring_put(rckmb_ring_of(core), scc_core, skb->data,
				skb->len, &ring_bell);
	rckmb_unlock(core);
	if (result == RCKMB_OK)
		set_bit(core, mb->met);
	/* Gone, or its ring was spoilt: it looks once. */
	if (result == RCKMB_NOBODY && test_and_clear_bit(core, mb->met))
		ring_bell = 1;
	if (ring_bell)
		scc_interrupt_core(core);
	return result;
}

static void look(struct rckmb *mb)
{
	if (napi_schedule_prep(&mb->napi)) {
		rckmb_ring_watch(rckmb_ring_of(scc_core));
		__napi_schedule(&mb->napi);
	}
}

static netdev_tx_t drop(struct sk_buff *skb, unsigned long *counter)
{
	(*counter)++;
	dev_kfree_skb_any(skb);
	return NETDEV_TX_OK;
}

static netdev_tx_t transmit(struct sk_buff *skb, struct net_device *device)
{
	struct net_device_stats *counts = &device->stats;
	struct rckmb *mb = netdev_priv(device);
	unsigned int core = skb->data[ETH_ALEN - 1];

	if (is_multicast_ether_addr(skb->data) || core >= SCC_CORES ||
	    core == scc_core)
		return drop(skb, &counts->tx_dropped);
	if (eth_skb_pad(skb)) {
		counts->tx_dropped++;
		return NETDEV_TX_OK;
	}
	/* The ring may be spoilt, so that no sender rings. */
	if (rckmb_ring_calls(rckmb_ring_of(scc_core)))
		look(mb);
	switch (put(mb, core, skb)) {
	case RCKMB_OK:
		counts->tx_packets++;
		counts->tx_bytes += skb->len;
		mb->stuck = false;
		clear_bit(core, mb->dead);
		dev_consume_skb_any(skb);
		return NETDEV_TX_OK;
	case RCKMB_FULL:
		if (!has_patience(mb, core))
			return drop(skb, &counts->tx_fifo_errors);
		netif_stop_queue(device);
		hrtimer_start(&mb->retry, RETRY_NS, HRTIMER_MODE_REL);
		return NETDEV_TX_BUSY;
	case RCKMB_NOBODY:
		return drop(skb, &counts->tx_carrier_errors);
	default:
		return drop(skb, &counts->tx_errors);
	}
}

/* What is in the ring is no packet: begin anew, without what it holds. */
static void begin_anew(struct rckmb *mb)
{
	mb->device->stats.rx_frame_errors++;
	mb->device->stats.rx_errors++;
	if (!rckmb_lock(scc_core))
		return;
	rckmb_ring_open(rckmb_ring_of(scc_core));
	rckmb_unlock(scc_core);
}

static void receive(struct rckmb *mb, const struct rckmb_packet *packet)
{
	struct net_device_stats *counts = &mb->device->stats;
	struct rckmb_ring *ring = rckmb_ring_of(scc_core);
	struct sk_buff *skb = napi_alloc_skb(&mb->napi, RCKMB_LONGEST);

	if (!skb) {
		static u8 nowhere[RCKMB_LONGEST];

		rckmb_ring_take(ring, packet, nowhere);
		counts->rx_dropped++;
		return;
	}
	rckmb_ring_take(ring, packet, skb_put(skb, packet->length));
	skb->protocol = eth_type_trans(skb, mb->device);
	counts->rx_packets++;
	counts->rx_bytes += packet->length;
	napi_gro_receive(&mb->napi, skb);
}

static int poll(struct napi_struct *napi, int budget)
{
	struct rckmb *mb = container_of(napi, struct rckmb, napi);
	struct rckmb_ring *ring = rckmb_ring_of(scc_core);
	struct rckmb_packet packet;
	int done = 0;

	while (done < budget) {
		enum rckmb_result result = rckmb_ring_next(ring, &packet);

		if (result == RCKMB_EMPTY)
			break;
		if (result == RCKMB_OK)
			receive(mb, &packet);
		else
			begin_anew(mb);
		done++;
	}
	if (done < budget && napi_complete_done(napi, done) &&
	    rckmb_ring_rest(ring))
		napi_schedule(napi);
	return done;
}

static void on_senders(u64 senders)
{
	struct rckmb *mb = netdev_priv(the_device);

	if (netif_running(the_device))
		look(mb);
}

static int set_ring(void (*change)(struct rckmb_ring *ring))
{
	unsigned long flags;

	if (!rckmb_lock(scc_core))
		return -EBUSY;
	local_irq_save(flags);
	change(rckmb_ring_of(scc_core));
	local_irq_restore(flags);
	rckmb_unlock(scc_core);
	return 0;
}

static int open(struct net_device *device)
{
	struct rckmb *mb = netdev_priv(device);

	if (set_ring(rckmb_ring_open))
		return -EBUSY;
	napi_enable(&mb->napi);
	netif_start_queue(device);
	return 0;
}

static int stop(struct net_device *device)
{
	struct rckmb *mb = netdev_priv(device);

	hrtimer_cancel(&mb->retry);
	netif_stop_queue(device);
	napi_disable(&mb->napi);
	return set_ring(rckmb_ring_close);
}

/* After the entry of a neighbour was made, with no address for want of ARP. */
static int know_neighbour(struct net_device *device, struct neighbour *n)
{
	const u8 *ip = n->primary_key;

	if (n->tbl->family != AF_INET)
		return -EINVAL;
	memcpy(n->ha, device->dev_addr, ETH_ALEN);
	n->ha[ETH_ALEN - 1] = ip[3] - 1;
	return 0;
}

static const struct net_device_ops operations = {
	.ndo_open = open,
	.ndo_stop = stop,
	.ndo_start_xmit = transmit,
	.ndo_neigh_construct = know_neighbour,
	.ndo_validate_addr = eth_validate_addr,
};

static int __init rckmb_start(void)
{
	u8 address[ETH_ALEN] = {0x02, 'r', 'c', 'k', 0, scc_core};
	struct net_device *device = alloc_etherdev(sizeof(struct rckmb));
	struct rckmb *mb;
	int result;

	if (!device)
		return -ENOMEM;
	mb = netdev_priv(device);
	mb->device = device;
	strscpy(device->name, "mb%d", IFNAMSIZ);
	device->netdev_ops = &operations;
	device->flags = IFF_NOARP;
	eth_hw_addr_set(device, address);
	hrtimer_init(&mb->retry, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	mb->retry.function = on_retry;
	netif_napi_add(device, &mb->napi, poll);
	result = rckmb_map_peers();
	if (!result)
		result = register_netdev(device);
	if (result) {
		free_netdev(device);
		return result;
	}
	the_device = device;
	rckmb_counts = &device->stats;
	scc_handle_interrupts_of_cores(on_senders);
	return 0;
}
device_initcall(rckmb_start);
