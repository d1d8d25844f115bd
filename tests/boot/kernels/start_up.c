/*
 * start_up.c: what kernels for the SCC and for PCs do when they start, one
 * line for each: Linux's probes of the processor, paging with the SCC's
 * extension, the local APIC and its calibration, the tile's and the FPGA's
 * registers, and devices of a PC that are not there.
 */
#include "kernel.h"

#define CR0_PG 0x80000000
#define CR0_WP 0x00010000
#define CR4_MPE 0x800
#define CR4_MCE 0x40
#define FLAGS_AC 0x40000
#define FLAGS_ID 0x200000
#define APIC 0xFEE00000

#define APIC_ID 0x020
#define APIC_VERSION 0x030
#define APIC_ISR 0x100
#define APIC_ESR 0x280
#define APIC_ICR 0x300
#define APIC_ICR2 0x310
#define APIC_TIMER 0x320
#define APIC_LINT1 0x360
#define APIC_INITIAL 0x380
#define APIC_CURRENT 0x390
#define APIC_DIVIDE 0x3E0
#define DELIVERY_PENDING 0x1000
#define TIMER_VECTOR 0x40

static uint32_t idt[0x48][2];
extern volatile uint32_t vector, error, next, nmis, ticks;
volatile uint32_t vector, error, next, nmis, ticks;
static volatile uint32_t interrupts;

/* A fault goes on at `next`; the others return. */
__asm__(".text\n"
        "on_ud: movl $6, vector; jmp away\n"
        "on_gp: movl $13, vector; jmp with_error\n"
        "on_pf: movl $14, vector\n"
        "with_error: popl error\n"
        "away: push %eax; mov next, %eax; mov %eax, 4(%esp); pop %eax; iret\n"
        "on_nmi: incl nmis; iret\n"
        "on_timer: incl ticks; movl $0, 0xFEE000B0; iret\n");
extern char on_ud[], on_gp[], on_pf[], on_nmi[], on_timer[];

/* The instruction may fault. */
#define ATTEMPT(text, ...)                                              \
    do {                                                                \
        vector = 0;                                                     \
        __asm__ volatile("movl $1f, next\n\t" text "\n1:" __VA_ARGS__); \
    } while (0)

static void check(const char *what, uint32_t good)
{
    say(what);
    say(good ? ": ok\n" : ": WRONG\n");
}

static void gate(uint32_t number, const void *handler)
{
    uint32_t address = (uint32_t)handler;

    idt[number][0] = 8 << 16 | (address & 0xFFFF);
    idt[number][1] = (address & 0xFFFF0000) | 0x8E00;
}

static void take_exceptions(void)
{
    static struct __attribute__((packed)) {
        uint16_t limit;
        uint32_t base;
    } idt_register = {sizeof(idt) - 1, (uint32_t)idt};

    gate(2, on_nmi);
    gate(6, on_ud);
    gate(13, on_gp);
    gate(14, on_pf);
    gate(LINT0_VECTOR, enter_lint0);
    gate(TIMER_VECTOR, on_timer);
    __asm__ volatile("lidt %0" : : "m"(idt_register));
}

void on_lint0(void)
{
    interrupts++;
    end_lint0();
}

static uint32_t toggles(uint32_t flag)
{
    uint32_t before, after;

    __asm__ volatile("pushf; pop %0; mov %0, %1; xor %2, %1; push %1; popf;"
                     "pushf; pop %1; push %0; popf"
                     : "=&r"(before), "=&r"(after)
                     : "r"(flag));
    return (before ^ after) & flag;
}

static uint32_t cpuid(uint32_t leaf, uint32_t *features)
{
    uint32_t eax = leaf, ebx, ecx = 0, edx;

    __asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
    *features = edx;
    return eax;
}

static void processor(void)
{
    uint32_t features, signature, value = 0x1234;
    uint16_t word = 0;

    check("eflags.ac", toggles(FLAGS_AC));
    check("eflags.id", toggles(FLAGS_ID));
    check("cpuid leaves", cpuid(0, &features) == 1);
    signature = cpuid(1, &features);
    check("family 5 model 2", (signature >> 4 & 0xFFF) == 0x52);
    check("fpu tsc msr cx8 apic", (features & 0x331) == 0x331);
    check("no cmov mmx pge pae", (features & 0x80A040) == 0);
    check("no extended leaves", cpuid(0x80000000, &features) < 0x80000000);

    /* The x87 is there, and divides right (FDIV). */
    __asm__ volatile("fninit; fnstsw %0" : "=a"(word));
    check("x87 status", word == 0);
    __asm__ volatile("fnstcw %0" : "=m"(word));
    check("x87 control", (word & 0x103F) == 0x3F);
    static const double x = 4195835.0, y = 3145727.0;
    __asm__ volatile("fldl %1; fdivl %2; fmull %2; fldl %1; fsubp; fistpl %0"
                     : "=m"(value)
                     : "m"(x), "m"(y));
    check("fdiv", value == 0);
    /* The F00F sequence does not lock the core up. */
    ATTEMPT(".byte 0xF0, 0x0F, 0xC7, 0xC8", );
    check("lock cmpxchg8b eax", vector == 6);
    __asm__ volatile("invd; wbinvd");
}

static uint32_t read_msr(uint32_t number)
{
    uint32_t low = 0, high;

    ATTEMPT("rdmsr", : "+a"(low), "=d"(high) : "c"(number));
    return low;
}

static void model_specific(void)
{
    check("machine check address", read_msr(0) == 0 && !vector);
    check("machine check type", read_msr(1) == 0 && !vector);
    read_msr(0xE);
    check("test register 12", !vector);
    ATTEMPT("wrmsr", : : "a"(0), "d"(0), "c"(0x11));
    check("cesr", !vector);
    read_msr(0x1B);
    check("no apic base", vector == 13 && error == 0);
    read_msr(0xFE);
    check("no mtrr", vector == 13);
    read_msr(0xC0000080);
    check("no efer", vector == 13);
    __asm__ volatile("mov %0, %%cr4" : : "r"(CR4_MCE));
    __asm__ volatile("mov %0, %%cr4" : : "r"(0));
    ATTEMPT("mov %0, %%cr4", : : "r"(0x20));
    check("no pae", vector == 13);
}

static uint32_t directory[1024] __attribute__((aligned(4096)));
static uint32_t table[1024] __attribute__((aligned(4096)));
static uint32_t apic_table[1024] __attribute__((aligned(4096)));
static uint32_t page[1024] __attribute__((aligned(4096)));

/* Linux's WP test, and CR4.MPE: bit 7 of an entry is the memory type. */
static void paging(void)
{
    uint32_t n, cr0, place = (uint32_t)page, value;

    for (n = 0; n < 1024; n++)
        table[n] = n << 12 | 3;
    table[place >> 12] = place | 1;
    directory[0] = (uint32_t)table | 3;
    directory[0xFEC >> 2] = (uint32_t)apic_table | 3;
    apic_table[0x200] = APIC | 0x1B;
    __asm__ volatile("mov %0, %%cr3" : : "r"(directory));
    __asm__ volatile("mov %0, %%cr4" : : "r"(CR4_MPE));
    __asm__ volatile("mov %%cr0, %0" : "=r"(cr0));
    __asm__ volatile("mov %0, %%cr0" : : "r"(cr0 | CR0_PG | CR0_WP));
    ATTEMPT("movl $1, page", );
    check("wp", vector == 14 && error == 3 && page[0] == 0);
    __asm__ volatile("mov %0, %%cr0" : : "r"(cr0 | CR0_PG));
    ATTEMPT("movl $2, page", );
    check("no wp", vector == 0 && page[0] == 2);
    table[place >> 12] = place | 0x8B; /* PMB and PWT */
    __asm__ volatile("invlpg (%0)" : : "r"(place));
    ATTEMPT("mov page, %0", : "=r"(value));
    check("pmb page", vector == 0);
    ATTEMPT("mov 0x400000, %0", : "=r"(value));
    check("page fault", vector == 14 && error == 0);
    __asm__ volatile("mov %0, %%cr0" : : "r"(cr0));
    __asm__ volatile("mov %0, %%cr4" : : "r"(0));
}

static uint32_t time_stamp(void)
{
    uint32_t low;

    __asm__ volatile("rdtsc" : "=a"(low) : : "edx");
    return low;
}

static void apic(void)
{
    uint32_t n, id = load(APIC + APIC_ID), version = load(APIC + APIC_VERSION);
    uint32_t begin, count, expected;

    store(APIC + APIC_VERSION, ~version);
    check("version stays", load(APIC + APIC_VERSION) == version);
    check("discrete and old", (version & 0xF0) == 0x10);
    check("three local vectors", (version >> 16 & 0xFF) == 3);
    store(APIC + APIC_ID, id ^ 0x0F000000);
    check("id can be set", load(APIC + APIC_ID) == (id ^ 0x0F000000));
    store(APIC + APIC_ID, id);
    store(APIC_SPURIOUS, 0x1FF);
    store(APIC + APIC_ESR, 0);
    check("no errors", load(APIC + APIC_ESR) == 0);
    /* INIT to all others: the bus is not wired, and nobody waits for ever. */
    store(APIC + APIC_ICR2, 0);
    store(APIC + APIC_ICR, 0x88500);
    for (n = 0; n < 1000 && load(APIC + APIC_ICR) & DELIVERY_PENDING; n++)
        ;
    check("message sent", n < 1000);
    for (n = 0; n < 8; n++)
        if (load(APIC + APIC_ISR + 16 * n) != 0)
            say("in service\n");

    /* Calibration: the timer, divided by 16, against the time stamp. */
    store(APIC + APIC_DIVIDE, 3);
    store(APIC + APIC_TIMER, 0x10000);
    store(APIC + APIC_INITIAL, 0xFFFFFFFF);
    begin = time_stamp();
    while (time_stamp() - begin < 100000)
        ;
    count = 0xFFFFFFFF - load(APIC + APIC_CURRENT);
    expected = (time_stamp() - begin) / 16;
    check("timer rate", count <= expected + 8 && count + 8 >= expected);
}

/* HLT with a tick to wake it, then how many loops go into a tick. */
static void clock(void)
{
    volatile uint32_t loops = 0;
    uint32_t start;

    store(APIC + APIC_DIVIDE, 0xB);
    store(APIC + APIC_TIMER, 0x20000 | TIMER_VECTOR);
    store(APIC + APIC_INITIAL, 20000);
    sleep_until(&ticks);
    __asm__ volatile("sti; hlt; hlt; cli");
    check("hlt", ticks >= 3);
    __asm__ volatile("sti");
    for (start = ticks; ticks == start;)
        ;
    for (start = ticks; ticks == start;)
        loops++;
    __asm__ volatile("cli");
    store(APIC + APIC_TIMER, 0x10000);
    store(APIC + APIC_INITIAL, 0);
    check("delay loop", loops > 10 && loops < 20000);
}

/* A core interrupts itself through its pins: INTR is LINT0, NMI is LINT1. */
static void pins(void)
{
    uint32_t glcfg = SCC_CRB_OWN + SCC_CRB_GLCFG(core_number() & 1), n;

    store(APIC_LINT0, LINT0_VECTOR);
    store(APIC + APIC_LINT1, 0x400);
    store(glcfg, load(glcfg) | SCC_CRB_GLCFG_INTR);
    sleep_until(&interrupts);
    check("lint0", interrupts == 1);
    store(glcfg, load(glcfg) | SCC_CRB_GLCFG_NMI);
    store(glcfg, load(glcfg) & ~(uint32_t)SCC_CRB_GLCFG_NMI);
    for (n = 0; n < 100 && nmis == 0; n++)
        load(glcfg);
    check("lint1 as nmi", nmis == 1);
}

static void tile(void)
{
    uint32_t lut = SCC_CRB_OWN + 0x800 + (core_number() & 1) * 0x800;
    uint32_t lock = SCC_CRB_OWN + 0x200, entry = load(lut + 8 * 0x80);

    check("lock is free", load(lock) == 1 && load(lock) == 0);
    store(lock, 0);
    check("lock released", load(lock) == 1);
    store(lock, 0);
    /* Another window onto the first page of shared memory. */
    store(0x80000000, 0x600DF00D);
    store(lut + 8 * 0x90, entry);
    check("lut entry", load(lut + 8 * 0x90) == entry);
    check("lut window", load(0x90000000) == 0x600DF00D);
    check("message buffer", (store(0xD8000000, 7), load(0xD8000000) == 7));
}

static void fpga(void)
{
    uint32_t n, high = load(SCC_FPGA_BASE + SCC_FPGA_TIMESTAMP_HIGH);
    uint32_t low = load(SCC_FPGA_BASE + SCC_FPGA_TIMESTAMP_LOW);

    check("time stamp",
          load(SCC_FPGA_BASE + SCC_FPGA_TIMESTAMP_LOW) > low &&
              load(SCC_FPGA_BASE + SCC_FPGA_TIMESTAMP_HIGH) == high);
    check("fast clock", (load(SCC_FPGA_BASE + 0x8230) & 0xFFFF) == 1600);
    check("test register", load(SCC_FPGA_BASE + 0x8014) == 0xA5A5A5A5);
    check("private slots", load(SCC_FPGA_BASE + 0x8244) >= 20);
    /* The eMAC driver writes its registers and reads each twice. */
    for (n = 0x9000; n < 0x9F00; n += 0x100) {
        store(SCC_FPGA_BASE + n, 0);
        load(SCC_FPGA_BASE + n);
        if (load(SCC_FPGA_BASE + n) != 0)
            say("an eMAC register is not zero\n");
    }
    check("undefined offset", load(SCC_FPGA_BASE + 0x10) == 0);
    load(0xFB000000); /* the voltage regulator can only be written */
}

/* Every port of a PC that an SCC has not reads as ones and takes anything. */
static void absent_devices(void)
{
    static const uint16_t ports[] = {
        0x20, 0x21, 0xA0, 0xA1, 0x40,  0x42,  0x43,  0x60,  0x61,  0x64,  0x70,
        0x71, 0x80, 0x92, 0xED, 0x1F7, 0x3C0, 0x3D4, 0x3DA, 0x3F0, 0xCF8, 0xCFC,
    };
    uint32_t n, value, wrong = 0;
    uint16_t word;

    for (n = 0; n < sizeof(ports) / sizeof(ports[0]); n++) {
        outb(ports[n], 0x11);
        __asm__ volatile("inw %1, %0" : "=a"(word) : "d"(ports[n]));
        wrong += inb(ports[n]) != 0xFF || word != 0xFFFF;
    }
    check("absent ports", wrong == 0);
    __asm__ volatile("outl %0, %1" : : "a"(0x80000000), "d"((uint16_t)0xCF8));
    __asm__ volatile("inl %1, %0" : "=a"(value) : "d"((uint16_t)0xCFC));
    check("no pci", value == 0xFFFFFFFF);
    /* A20 is open, and there is memory where a PC has its screen. */
    store(0x200, 1);
    store(0x100200, 2);
    check("a20", load(0x200) == 1);
    store(0xB8000, 0x07410741);
    check("memory at b8000", load(0xB8000) == 0x07410741);
    check("a second port", inb(SCC_SERIAL_COM2 + 5) == 0x60);
}

void main(void)
{
    take_exceptions();
    processor();
    model_specific();
    paging();
    apic();
    clock();
    pins();
    tile();
    fpga();
    absent_devices();
    say("started\n");
}
