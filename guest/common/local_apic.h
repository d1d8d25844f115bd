/*
 * local_apic.h: registers of the local APIC, as offsets from its page
 * [intel-sdm].
 */
#ifndef COMMON_LOCAL_APIC_H
#define COMMON_LOCAL_APIC_H

#define APIC_PAGE 0xFEE00000u /* where it is after a reset */

enum apic_register {
    APIC_ID = 0x020,
    APIC_VERSION = 0x030,
    APIC_TASK_PRIORITY = 0x080,
    APIC_PROCESSOR_PRIORITY = 0x0A0,
    APIC_END_OF_INTERRUPT = 0x0B0,
    APIC_LOGICAL = 0x0D0,
    APIC_FORMAT = 0x0E0,
    APIC_SPURIOUS = 0x0F0,
    APIC_SERVICE = 0x100,
    APIC_REQUEST = 0x200,
    APIC_COMMAND = 0x300,
    APIC_COMMAND_HIGH = 0x310,
    APIC_LVT_TIMER = 0x320,
    APIC_LVT_LINT0 = 0x350,
    APIC_LVT_LINT1 = 0x360,
    APIC_LVT_ERROR = 0x370,
    APIC_INITIAL_COUNT = 0x380,
    APIC_CURRENT_COUNT = 0x390,
    APIC_DIVIDE = 0x3E0
};

#define APIC_ENABLED 0x100u    /* APIC_SPURIOUS */
#define APIC_MASKED 0x10000u   /* an entry of the LVT */
#define APIC_PERIODIC 0x20000u /* APIC_LVT_TIMER */
#define APIC_BY_1 0xBu         /* APIC_DIVIDE */

#endif
