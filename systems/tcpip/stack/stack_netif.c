/*
 * stack_netif.c: lwIP's interface to the link. A packet is a record; its
 * receiver is the core that the address names.
 */
#include "stack.h"

#include "lwip/init.h"
#include "lwip/netif.h"
#include "lwip/prot/ip.h"
#include "lwip/prot/ip4.h"
#include "lwip/priv/tcp_priv.h"
#include "lwip/timeouts.h"

#include <errno.h>
#include <string.h>

/* Small pieces that wait are put together into one packet: any number of all
 * that a connection may have waiting. One more, for a header. */
#define MOST_PARTS (TCP_SND_QUEUELEN + 1)
#define MILLISECOND 1000000ull
/* TCP sends again what had no room. The fragments of a large datagram wait
 * for some, but not for ever: two cores may wait for each other. */
#define PATIENCE MILLISECOND

static struct netif link_netif;

u32_t sys_now(void)
{
    return (u32_t)(scc_now_ns() / MILLISECOND);
}

static err_t output(struct netif *netif, struct pbuf *packet,
                    const ip4_addr_t *to)
{
    struct iovec parts[MOST_PARTS];
    int rank = tcpip_sockets_rank(lwip_ntohl(ip4_addr_get_u32(to))), count = 0;
    int again =
        IPH_PROTO((const struct ip_hdr *)packet->payload) != IP_PROTO_TCP;
    int error;

    (void)netif;
    if (rank < 0)
        return ERR_RTE;
    for (; packet && count < MOST_PARTS; packet = packet->next)
        parts[count++] = (struct iovec){packet->payload, packet->len};
    if (packet)
        return ERR_BUF;
    error = tcpip_link_put(rank, KIND_IP, parts, count);
    if (error == -EAGAIN && again) {
        tcpip_link_await(rank, scc_now_ns() + PATIENCE);
        error = tcpip_link_put(rank, KIND_IP, parts, count);
    }
    if (error == -EAGAIN)
        return ERR_WOULDBLOCK;
    return error ? ERR_RTE : ERR_OK;
}

static err_t prepare(struct netif *netif)
{
    netif->name[0] = 'c';
    netif->name[1] = 'o';
    netif->mtu = (u16_t)tcpip_link_most();
    netif->output = output;
    netif->flags = NETIF_FLAG_LINK_UP;
    return ERR_OK;
}

static void record(const struct record *record)
{
    struct pbuf *packet = pbuf_alloc(PBUF_RAW, (u16_t)record->bytes, PBUF_RAM);

    /* Without memory for it, it is lost: TCP sends it again. */
    if (!packet)
        return;
    scc_get(packet->payload, record->data, record->bytes);
    if (link_netif.input(packet, &link_netif) != ERR_OK)
        pbuf_free(packet);
}

static uint64_t due_at;

static uint64_t due(void)
{
    u32_t sleep = sys_timeouts_sleeptime();

    due_at = sleep == SYS_TIMEOUTS_SLEEPTIME_INFINITE
                 ? SCC_NEVER
                 : scc_now_ns() + sleep * MILLISECOND;
    return due_at;
}

static void run(void)
{
    netif_poll_all();
    if (due_at != SCC_NEVER && scc_now_ns() < due_at)
        return;
    sys_check_timeouts();
    due();
}

static void ended(int rank)
{
    ip_addr_t host = IPADDR4_INIT(lwip_htonl(TCPIP_NETWORK + 1 + (u32_t)rank));

    stack_tcp_ended(&host);
}

/* What did not leave for want of room: segments and acknowledgements. */
static void room(void)
{
    for (struct tcp_pcb *pcb = tcp_active_pcbs; pcb; pcb = pcb->next)
        if (pcb->flags & (TF_NAGLEMEMERR | TF_ACK_NOW))
            tcp_output(pcb);
}

static const struct listener listener = {
    .record = record,
    .ended = ended,
    .room = room,
    .run = run,
    .due = due,
};

void stack_start(void)
{
    static int started;
    ip4_addr_t own, mask, gateway;

    if (started)
        return;
    started = 1;
    srand((unsigned)tcpip_link_my_rank);
    lwip_init();
    ip4_addr_set_u32(&own,
                     lwip_htonl(TCPIP_NETWORK + 1 + (u32_t)tcpip_link_my_rank));
    ip4_addr_set_u32(&mask, lwip_htonl(0xffffff00));
    ip4_addr_set_zero(&gateway);
    netif_add(&link_netif, &own, &mask, &gateway, NULL, prepare, ip4_input);
    netif_set_default(&link_netif);
    netif_set_up(&link_netif);
    tcpip_link_listen(KIND_IP, &listener);
}

int stack_error(err_t error)
{
    static const int numbers[] = {
        [-ERR_MEM] = ENOBUFS,         [-ERR_BUF] = ENOBUFS,
        [-ERR_TIMEOUT] = ETIMEDOUT,   [-ERR_RTE] = EHOSTUNREACH,
        [-ERR_INPROGRESS] = EALREADY, [-ERR_VAL] = EINVAL,
        [-ERR_WOULDBLOCK] = EAGAIN,   [-ERR_USE] = EADDRINUSE,
        [-ERR_ALREADY] = EALREADY,    [-ERR_ISCONN] = EISCONN,
        [-ERR_CONN] = ENOTCONN,       [-ERR_IF] = ENETDOWN,
        [-ERR_ABRT] = ECONNABORTED,   [-ERR_RST] = ECONNRESET,
        [-ERR_CLSD] = ENOTCONN,       [-ERR_ARG] = EINVAL,
    };

    return error == ERR_OK ? 0 : -numbers[-error];
}
