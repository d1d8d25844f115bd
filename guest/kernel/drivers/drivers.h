/* The hardware around the core. */
#ifndef DRIVERS_DRIVERS_H
#define DRIVERS_DRIVERS_H

#include "lib/types.h"
#include "scc/registers.h"

/* apic.c */
void apic_init(void);
void apic_timer_start(u32 cycles);
void apic_enable_pin(void);
void apic_end_of_interrupt(void);

/* cache.c */
void cache_init(void);
void cache_forget_messages(void);
void cache_flush_all(void);

/* clock.c */
extern u32 cycle_picoseconds;
void clock_init(void);
u64 clock_nanoseconds(void);
u64 clock_epoch_nanoseconds(void);
u64 cycles_from_nanoseconds(u64 nanoseconds);

/* serial.c */
enum { COM1 = SCC_SERIAL_COM1, COM2 = SCC_SERIAL_COM2 };
void serial_init(u16 port);
void serial_write(u16 port, const char *text, u32 length);
s32 serial_read(u16 port);

/* print.c */
u32 format_text(char *buffer, u32 size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
u32 format_list(char *buffer, u32 size, const char *format, va_list list);
void print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* hostchannel.c */
void host_init(void);
bool host_present(void);
u8 *host_request_buffer(void);
const u8 *host_call(u32 service, u32 length, u32 *reply_length);
void host_write(u32 offset, u32 value);

#endif
