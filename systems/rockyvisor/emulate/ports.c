/*
 * ports.c: the guest's ports: a 16550A at 3F8 [ns-16550d], and what ends the
 * machine. A port without a device reads as ones.
 */
#include "emulate/emulate.h"
#include "common/processor.h"

#define COM1 0x3F8u
#define EXIT_PORT 0xF4u   /* the value is the exit code */
#define POWER_PORT 0x604u /* 2000h is off, as in QEMU's machines */
#define POWER_OFF 0x2000u
#define KEYBOARD_PORT 0x64u /* FE resets a PC */
#define RESET_PORT 0xCF9u
#define RESETS 4u
#define FULL_RESET 8u /* else a warm one, Linux's after a panic (rck smp) */

enum {
    DATA,
    INTERRUPTS,
    IDENTITY,
    FORMAT,
    MODEM,
    LINE_STATUS,
    MODEM_STATUS,
    SCRATCH,
    REGISTERS
};

#define LATCH 0x80u /* of FORMAT: the divisor's registers show */
#define LOOP 0x10u  /* of MODEM */
#define EMPTY 0x60u /* of LINE_STATUS: transmitter and holding register */
#define FIFOS 0xC0u

#define INPUT_WAITS 1u /* of LINE_STATUS; and of INTERRUPTS */
#define EMPTIED 2u     /* of INTERRUPTS */

#define TIMER_COUNT 0x42u /* of a PC's timer, which is not there */
#define CLOCK_INDEX 0x70u /* of an MC146818, the clock of a PC [mc146818] */
#define CLOCK_DATA 0x71u

/* What the guest has set: the machine's, in memory that all cores see. The guest
 * lets one processor at a time at a device, so nothing guards it here. */
static volatile struct {
    u32 registers[REGISTERS], divisor[2], fifo, clock_index;
    u32 emptied; /* since IDENTITY was read */
} *machine;

/* The first core before any other processor is started. */
void ports_init(void)
{
    machine = common_words();
    if (core_index == 0)
        for (u32 n = 0; n < sizeof(*machine) / 4; n++)
            ((volatile u32 *)machine)[n] = 0;
}

/* The first core has the machine's one console. */
static u32 console_in(u32 number)
{
    return core_index == 0 ? in_byte((u16)(COM1 + number))
                           : mail_console_in(COM1 + number);
}

/* Nobody asks another core for input that no program waits for. */
static bool input_waits(void)
{
    if (options.asks_for_input)
        return false;
    return (core_index == 0 ||
            (machine->registers[INTERRUPTS] & INPUT_WAITS)) &&
           (console_in(LINE_STATUS) & INPUT_WAITS);
}

/* What would interrupt, if there were a wire: Linux asks at its ticks. */
static u32 cause(void)
{
    if ((machine->registers[INTERRUPTS] & INPUT_WAITS) && input_waits())
        return 4;
    if (!(machine->registers[INTERRUPTS] & EMPTIED) || !machine->emptied)
        return 1;
    machine->emptied = false;
    return 2;
}

static u32 uart_read(u32 number)
{
    bool latch = (machine->registers[FORMAT] & LATCH) != 0;

    switch (number) {
    case DATA:
        if (latch)
            return machine->divisor[0];
        return input_waits() ? console_in(DATA) : 0;
    case INTERRUPTS:
        return latch ? machine->divisor[1] : machine->registers[INTERRUPTS];
    case IDENTITY:
        return cause() | (machine->fifo & 1 ? FIFOS : 0);
    case LINE_STATUS:
        return EMPTY | (input_waits() ? INPUT_WAITS : 0);
    case MODEM_STATUS:
        /* In a loop, the own lines; else who is there is ready. */
        if (machine->registers[MODEM] & LOOP)
            return (machine->registers[MODEM] & 0xCu) << 4 |
                   (machine->registers[MODEM] & 2u) << 3 |
                   (machine->registers[MODEM] & 1u) << 5;
        return 0xB0;
    default:
        return machine->registers[number];
    }
}

static void uart_write(u32 number, u8 value)
{
    bool latch = (machine->registers[FORMAT] & LATCH) != 0;

    machine->emptied |= number == DATA || number == INTERRUPTS;
    if (number == IDENTITY)
        machine->fifo = value;
    else if (latch && number <= INTERRUPTS)
        machine->divisor[number] = value;
    else if (number != DATA)
        machine->registers[number] = value;
    else if (machine->registers[MODEM] & LOOP)
        return;
    else
        console_out(&value, 1);
}

/* Every guest begins on 2010-01-01, and the clock of the day stands: without one,
 * Linux waits a second for it. */
static u32 clock_read(void)
{
    static const u8 values[] = {[7] = 0x01, /* day, month, year: BCD */
                                [8] = 0x01,   [9] = 0x10,
                                [0xA] = 0x26,  /* no update is under way */
                                [0xB] = 0x02,  /* 24 hours, BCD */
                                [0xD] = 0x80}; /* its battery is good */

    return machine->clock_index < sizeof(values) ? values[machine->clock_index]
                                                 : 0;
}

u32 port_read(struct vcpu *v, u32 port, u32 bytes)
{
    (void)v;
    if (port >= COM1 && port < COM1 + REGISTERS && bytes == 1)
        return uart_read(port - COM1);
    if (port == CLOCK_DATA && bytes == 1)
        return clock_read();
    /* As ones, it would keep Linux counting 100,000 times. */
    if (port == RESET_PORT || port == TIMER_COUNT)
        return 0;
    return 0xFFFFFFFFu;
}

void port_write(struct vcpu *v, u32 port, u32 bytes, u32 value)
{
    (void)v;
    if (port >= COM1 && port < COM1 + REGISTERS && bytes == 1)
        uart_write(port - COM1, (u8)value);
    else if (port == CLOCK_INDEX)
        machine->clock_index = value & 0x7F;
    else if (port == EXIT_PORT)
        power_off(value & 0xFF);
    else if ((port == POWER_PORT && value == POWER_OFF) ||
             (port == KEYBOARD_PORT && value == 0xFE))
        power_off(0);
    else if (port == RESET_PORT && (value & RESETS))
        power_off(value & FULL_RESET ? 0 : 1);
}
