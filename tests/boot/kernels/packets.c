/*
 * packets.c: a kernel that sleeps, and refuses each connection that the host
 * asks for: a packet of TCP with SYN is answered by one with RST. It sends two
 * packets more that the host drops: one with another core's address, one to
 * a stranger. Core 0 is 192.168.1.1.
 */
#include "kernel.h"

#include <scc/host_channel.h>

#define CHANNEL SCC_HOST_CHANNEL_OF(0)
#define HOST_BIT (1u << 22)
#define HEADERS 40
#define TCP 20
#define FLAGS (TCP + 13)
#define RST_ACK 0x14

static volatile uint32_t refused;
static uint8_t packet[1536], answer[HEADERS];

static uint32_t call(uint32_t service, const void *request, uint32_t length)
{
    store(CHANNEL + SCC_HOST_REQUEST_ADDRESS, (uint32_t)request);
    store(CHANNEL + SCC_HOST_REQUEST_LENGTH, length);
    store(CHANNEL + SCC_HOST_REPLY_ADDRESS, (uint32_t)packet);
    store(CHANNEL + SCC_HOST_REPLY_CAPACITY, sizeof(packet));
    store(CHANNEL + SCC_HOST_DOORBELL, service);
    while (load(CHANNEL + SCC_HOST_DOORBELL) == SCC_HOST_BUSY)
        ;
    return load(CHANNEL + SCC_HOST_REPLY_LENGTH);
}

static void copy(uint8_t *to, const uint8_t *from, uint32_t length)
{
    while (length-- > 0)
        *to++ = *from++;
}

/* The Internet checksum (RFC 1071) of the answer's bytes from `at` on. */
static void put_sum(uint32_t at, uint32_t place, uint32_t end, uint32_t sum)
{
    answer[place] = answer[place + 1] = 0;
    for (; at < end; at += 2)
        sum += (uint32_t)answer[at] << 8 | answer[at + 1];
    sum = (sum & 0xFFFF) + (sum >> 16);
    sum = ~(sum + (sum >> 16));
    answer[place] = (uint8_t)(sum >> 8);
    answer[place + 1] = (uint8_t)sum;
}

static void refuse(void)
{
    static const uint8_t ip[12] = {0x45, 0, 0, HEADERS, 0, 0, 0, 0, 64, 6};
    uint32_t number = (uint32_t)packet[24] << 24 | (uint32_t)packet[25] << 16 |
                      (uint32_t)packet[26] << 8 | packet[27];

    copy(answer, ip, sizeof(ip));
    copy(answer + 12, packet + 16, 4);
    copy(answer + 16, packet + 12, 4);
    put_sum(0, 10, TCP, 0);
    copy(answer + TCP, packet + TCP + 2, 2);
    copy(answer + TCP + 2, packet + TCP, 2);
    number++;
    for (int n = 0; n < 4; n++)
        answer[TCP + 8 + n] = (uint8_t)(number >> (24 - 8 * n));
    answer[TCP + 12] = 0x50;
    answer[FLAGS] = RST_ACK;
    /* With the pseudo header: addresses, protocol, length. */
    put_sum(12, TCP + 16, HEADERS, 6 + HEADERS - TCP);
    call(SCC_HOST_SERVICE_SEND, answer, HEADERS);
    answer[15]++;
    call(SCC_HOST_SERVICE_SEND, answer, HEADERS);
    answer[15]--;
    answer[19]--;
    call(SCC_HOST_SERVICE_SEND, answer, HEADERS);
}

void on_lint0(void)
{
    uint32_t high = SCC_FPGA_BASE + SCC_FPGA_GIC_STATUS(1);

    say(load(high) == HOST_BIT ? "the host asks\n" : "who was that?\n");
    end_lint0();
    store(SCC_FPGA_BASE + SCC_FPGA_GIC_RESET(1), HOST_BIT);
    while (call(SCC_HOST_SERVICE_RECEIVE, packet, 0) > 0) {
        refuse();
        refused = 1;
    }
}

void main(void)
{
    take_lint0();
    store(SCC_FPGA_BASE + SCC_FPGA_GIC_CONFIG(0), 0);
    store(SCC_FPGA_BASE + SCC_FPGA_GIC_MASK(1), ~HOST_BIT);
    say("ready\n");
    sleep_until(&refused);
    say("refused\n");
    store(CHANNEL + SCC_HOST_EXIT_REASON, SCC_EXIT_NORMAL);
    store(CHANNEL + SCC_HOST_EXIT_CODE, 0);
    store(CHANNEL + SCC_HOST_EXIT_DONE, 1);
}
