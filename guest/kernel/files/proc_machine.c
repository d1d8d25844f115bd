/* Texts of /proc about the chip and this core: one processor, as each core's
 * Linux had. */
#include "abi/abi.h"
#include "drivers/drivers.h"
#include "files/proc.h"
#include "lib/divide.h"
#include "lib/options.h"
#include "lib/string.h"
#include "lib/types.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "process/cpu_time.h"
#include "process/process.h"
#include "process/thread.h"

#define TICKS_PER_SECOND 100u /* as the C library has it */
#define NS_PER_SECOND 1000000000u

void proc_launch(struct text *text)
{
    put_line(text, "%u %u.%03u ", options.core_count, options.megahertz / 1000,
             options.megahertz % 1000);
    for (const char *c = options.cores; *c; c++)
        put_bytes(text, *c == ',' ? " " : c, 1);
    put_line(text, " %u\n", options.rank);
}

void proc_processor(struct text *text)
{
    u32 kilohertz = (u32)divide(1000000000ull, cycle_picoseconds, NULL);

    put_line(text,
             "processor\t: 0\nvendor_id\t: GenuineIntel\n"
             "cpu family\t: 5\nmodel\t\t: 2\n"
             "model name\t: SCC core %u\n",
             options.core);
    put_line(text,
             "cpu MHz\t\t: %u.%03u\ncache size\t: 256 KB\n"
             "siblings\t: 1\ncpu cores\t: 1\n"
             "fpu\t\t: yes\nfpu_exception\t: yes\nwp\t\t: yes\n"
             "flags\t\t: fpu vme de pse tsc msr mce cx8 apic\n\n",
             kilohertz / 1000, kilohertz % 1000);
}

void proc_memory(struct text *text)
{
    u32 available = kilobytes(frames_available());

    put_line(text, "MemTotal: %12u kB\nMemFree: %13u kB\n",
             kilobytes(frames_total()), available);
    put_line(text, "MemAvailable: %8u kB\nBuffers: %13u kB\nCached: %14u kB\n",
             available, 0, 0);
    put_line(text, "SwapTotal: %11u kB\nSwapFree: %12u kB\n", 0, 0);
}

static u32 hundredths(u64 nanoseconds, u32 *seconds)
{
    u32 rest;

    *seconds = (u32)divide(nanoseconds, NS_PER_SECOND, &rest);
    return rest / (NS_PER_SECOND / 100);
}

static u32 ticks_of(u64 nanoseconds)
{
    u32 seconds, rest = hundredths(nanoseconds, &seconds);

    return seconds * TICKS_PER_SECOND + rest;
}

/* Since the start, and of it what the core has waited. */
void proc_uptime(struct text *text)
{
    u32 seconds, rest = hundredths(clock_nanoseconds(), &seconds);
    u32 idle, idle_rest = hundredths(cpu_waited_nanoseconds(), &idle);

    put_line(text, "%u.%02u %u.%02u\n", seconds, rest, idle, idle_rest);
}

void proc_load(struct text *text)
{
    put_line(text, "0.00 0.00 0.00 1/%u %d\n", threads_count(), process_id());
}

void proc_times(struct text *text)
{
    u32 used = ticks_of(time_of(CPU_OF_PROCESS));
    u32 idle = ticks_of(cpu_waited_nanoseconds());

    put_line(text, "cpu  %u 0 0 %u 0 0 0 0 0 0\n", used, idle);
    put_line(text, "cpu0 %u 0 0 %u 0 0 0 0 0 0\n", used, idle);
    put_line(text, "btime %u\nprocesses 1\nprocs_running 1\n",
             (u32)divide(clock_epoch_nanoseconds(), NS_PER_SECOND, NULL));
}

void proc_version(struct text *text)
{
    put_line(text, "Linux version 3.2.0 (rockcreek) rockcreek\n");
}

void proc_users(struct text *text)
{
    put_line(text, "root:x:0:0:root:/:/bin/sh\n");
}

void proc_groups(struct text *text)
{
    put_line(text, "root:x:0:\n");
}

/* The well-known ones that programs ask for by name. */
void proc_services(struct text *text)
{
    static const struct {
        const char *name, *protocol;
        u32 port;
    } services[] = {
        {"echo", "tcp", 7},      {"echo", "udp", 7},     {"discard", "tcp", 9},
        {"discard", "udp", 9},   {"daytime", "tcp", 13}, {"daytime", "udp", 13},
        {"ftp-data", "tcp", 20}, {"ftp", "tcp", 21},     {"ssh", "tcp", 22},
        {"telnet", "tcp", 23},   {"smtp", "tcp", 25},    {"time", "tcp", 37},
        {"time", "udp", 37},     {"domain", "tcp", 53},  {"domain", "udp", 53},
        {"tftp", "udp", 69},     {"http", "tcp", 80},    {"pop3", "tcp", 110},
        {"ntp", "udp", 123},     {"imap2", "tcp", 143},  {"snmp", "udp", 161},
        {"https", "tcp", 443},   {"syslog", "udp", 514},
    };

    for (u32 n = 0; n < COUNT(services); n++)
        put_line(text, "%s\t%u/%s\n", services[n].name, services[n].port,
                 services[n].protocol);
}
