//! The state of a core outside its caches and TLBs: plain data, copied at each window.

use rockcreek_defs::Pins;
use rockcreek_x87::Fpu;
use serde::{Deserialize, Serialize};

use crate::registers::debug::{DR6_ONES, DR7_ONES, armed};
use crate::registers::flags::{self, Flags};
use crate::registers::register_file::{Registers, TableRegister, cr0, sreg};
use crate::registers::segment::{Segment, common_end};
use crate::state::counters::Counters;
use crate::state::exception::{Event, Fault};
use crate::state::model_specific::ModelSpecific;
use crate::state::task_load::TaskLoad;
use crate::state::transaction::Pending;
use crate::timing::pipeline::Pipeline;
use crate::timing::x87_latency::X87Timing;
use crate::units::local_apic::Apic;
use crate::units::tlb::permit;

/// Index of a general register that always reads zero: "no base", "no index".
pub(crate) const ZERO: usize = 8;
/// A value of `store_line` that is no line's address: no store has been recorded.
const NO_LINE: u32 = 1;
/// A permit bit that no TLB entry has. An access that needs it always takes the slow path.
const NEVER: u8 = 1 << 7;

/// The activity of a core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Activity {
    #[default]
    Running,
    /// The core waits for an interrupt: it executed HLT, or (`frozen`) met an x87 exception that it
    /// signals by FERR#.
    Halted,
    /// The core is stopped until RESET.
    Shutdown,
}

/// All state of a core that is neither cache, TLB nor access log. The fields that each transaction
/// uses come first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[repr(C, align(64))]
pub struct State {
    /// EAX to EDI by number. The element after them (`ZERO`) is always 0; the others are unused.
    pub(crate) general: [u32; 16],
    pub(crate) eip: u32,
    /// The address of the instruction after the current one; a branch that is taken changes it.
    pub(crate) next_eip: u32,
    pub(crate) cycles: u64,
    /// The core cycle from which the bus unit accepts the next request; see `run_ahead/posted.rs`.
    pub(crate) bus_free: u64,
    /// The core cycle at which the last posted store is acknowledged.
    pub(crate) acknowledged: u64,
    /// The cycle at which the last store that L1D did not take is done, and the address of its line
    /// (`NO_LINE`: no store yet); see `run_ahead/same_line.rs`.
    pub(crate) store_done: u64,
    pub(crate) store_line: u32,
    pub(crate) flags: Flags,
    /// EFLAGS without the six arithmetic flags.
    pub(crate) system_flags: u32,
    /// Core cycles of the current instruction in addition to those of its block's schedule.
    pub(crate) extra_cycles: u32,
    /// How many operands of the current instruction cross a multiple of 4 bytes (of 8, if they are
    /// longer than 4).
    pub(crate) misaligned: u8,
    /// True if the current instruction, or the delivery of an event, was abandoned to wait and will
    /// be executed again.
    pub(crate) in_progress: bool,
    pub(crate) cpl: u8,
    /// The permit bits that a page's TLB entry must have for an ordinary read, and for a write, to
    /// take the fast path now (see `refresh_needs`).
    pub(crate) need_read: u8,
    pub(crate) need_write: u8,
    /// True if the page walk in progress is for a data access; false: for a fetch.
    pub(crate) walks_for_data: bool,
    /// The state of pipes U and V after the last instruction; while a block runs, before the block.
    pub(crate) pipeline: Pipeline,
    pub(crate) pending: Option<Pending>,
    pub(crate) counters: Counters,
    pub(crate) x87: X87Timing,
    /// ES, CS, SS, DS, FS, GS; two spare entries let the index be masked.
    pub(crate) segments: [Segment; 8],
    pub(crate) ldtr: Segment,
    pub(crate) tr: Segment,
    pub(crate) gdtr: TableRegister,
    pub(crate) idtr: TableRegister,
    pub(crate) cr0: u32,
    pub(crate) cr2: u32,
    pub(crate) cr3: u32,
    pub(crate) cr4: u32,
    pub(crate) debug: [u32; 8],
    pub(crate) msr: ModelSpecific,
    pub(crate) apic: Apic,
    pub(crate) fpu: Fpu,
    pub(crate) pins: Pins,
    pub(crate) activity: Activity,
    pub(crate) nmi_pending: bool,
    /// True from the start of the NMI handler to its IRET: further NMIs wait.
    pub(crate) nmi_blocked: bool,
    pub(crate) init_pending: bool,
    /// True if FLUSH# has been asserted: L1 is written back and emptied at the next boundary.
    pub(crate) flush_pending: bool,
    /// True while L1 is being written back and emptied for FLUSH#.
    pub(crate) flushing: bool,
    /// True after STI or a load of SS: interrupts wait until the next instruction is done.
    pub(crate) shadow: bool,
    /// True if the last instruction began with TF set: #DB is due at this boundary.
    pub(crate) step_trap: bool,
    pub(crate) fault: Fault,
    /// The exception or interrupt whose handler is being entered; `None` if none is.
    pub(crate) delivering: Option<Event>,
    /// The data for the second half of a task switch that is in progress; `None` if none is.
    pub(crate) task_load: Option<TaskLoad>,
    /// DR6 bits of debug traps that are due at the next boundary; a single step is in `step_trap`.
    pub(crate) trap_bits: u32,
    /// The breakpoints DR0 to DR3 that the current instruction has matched, a bit each.
    pub(crate) matched: u8,
    /// The kinds of access that breakpoints watch (`registers::debug::armed`).
    pub(crate) armed: u8,
    /// True if a repeated string instruction stopped between two iterations so that an event can be
    /// handled; it continues afterwards.
    pub(crate) repeating: bool,
    /// True if SS was loaded: debug exceptions wait until the next instruction is done.
    pub(crate) stack_loaded: bool,
    /// True if the core is stopped before an x87 instruction, because an x87 exception is pending
    /// that FERR# reports.
    pub(crate) frozen: bool,
    /// True if RF is set for the current instruction, so that it matches no code breakpoint; RF is
    /// cleared when that instruction is done.
    pub(crate) resumed: bool,
    /// The linear page number of the page walk in progress; `u32::MAX` if there is none.
    pub(crate) walk_page: u32,
    /// True if a debugger watches data, so that every access takes the slow path.
    #[serde(skip)]
    watched: bool,
}

impl State {
    /// A core's state after the RESET pin; `apic_id` becomes the local APIC's id, and
    /// `stepping_word` (family, model and stepping, as CPUID returns them) the value of EDX.
    pub(crate) fn at_reset(apic_id: u8, stepping_word: u32) -> State {
        let mut state = State {
            general: [0; 16],
            eip: 0xFFF0,
            next_eip: 0,
            flags: Flags::default(),
            system_flags: 0,
            segments: [Segment::real(0); 8],
            cpl: 0,
            need_read: 0,
            need_write: 0,
            cycles: 0,
            bus_free: 0,
            acknowledged: 0,
            store_done: 0,
            store_line: NO_LINE,
            extra_cycles: 0,
            misaligned: 0,
            walks_for_data: false,
            x87: X87Timing::default(),
            pipeline: Pipeline::default(),
            ldtr: Segment::new(0, 0, 0xFFFF, 0x0082),
            tr: Segment::new(0, 0, 0xFFFF, 0x008B),
            gdtr: TableRegister { base: 0, limit: 0xFFFF },
            idtr: TableRegister { base: 0, limit: 0xFFFF },
            cr0: cr0::CD | cr0::NW | cr0::ET,
            cr2: 0,
            cr3: 0,
            cr4: 0,
            debug: [0, 0, 0, 0, 0, 0, DR6_ONES, DR7_ONES],
            msr: ModelSpecific::default(),
            apic: Apic::new(apic_id),
            fpu: Fpu::new(),
            pins: Pins::default(),
            activity: Activity::Running,
            nmi_pending: false,
            nmi_blocked: false,
            init_pending: false,
            flush_pending: false,
            flushing: false,
            shadow: false,
            step_trap: false,
            in_progress: false,
            pending: None,
            fault: Fault::default(),
            delivering: None,
            task_load: None,
            trap_bits: 0,
            matched: 0,
            armed: 0,
            repeating: false,
            stack_loaded: false,
            frozen: false,
            resumed: false,
            walk_page: u32::MAX,
            counters: Counters::default(),
            watched: false,
        };
        state.general[crate::registers::register_file::gpr::EDX] = stepping_word;
        // The base of the code segment makes EIP FFF0 the reset vector at FFFFFFF0.
        state.segments[sreg::CS] = Segment::new(0xF000, 0xFFFF_0000, 0xFFFF, 0x0093);
        state.refresh_needs();
        state
    }

    pub(crate) fn eflags(&self) -> u32 {
        self.system_flags | self.flags.image() | flags::ALWAYS_ONE
    }

    pub(crate) fn set_eflags(&mut self, image: u32) {
        self.flags.load(image);
        self.system_flags = image & flags::ALL & !flags::ARITHMETIC;
    }

    pub(crate) fn protected(&self) -> bool {
        self.cr0 & cr0::PE != 0
    }

    pub(crate) fn virtual_8086(&self) -> bool {
        self.system_flags & flags::VM != 0
    }

    /// The last address that both code and data may use, as in [`common_end`].
    #[inline]
    pub(crate) fn segments_end(&self) -> Option<u32> {
        let [es, cs, ss, ds, ..] = &self.segments;
        common_end(cs, [ss, ds, es])
    }

    /// True if loads of segment registers work as on an 8086 (real or virtual-8086 mode).
    pub(crate) fn real_segments(&self) -> bool {
        !self.protected() || self.virtual_8086()
    }

    pub(crate) fn iopl(&self) -> u8 {
        ((self.system_flags & flags::IOPL) >> 12) as u8
    }

    /// Updates the permits that the fast path needs in a TLB entry, after a change of CPL, CR0 or
    /// the armed breakpoints.
    pub(crate) fn refresh_needs(&mut self) {
        let user = if self.cpl == 3 { permit::USER } else { 0 };
        let slow = self.cr0 & cr0::CD != 0 || self.armed & armed::DATA != 0 || self.watched;
        let off = if slow { NEVER } else { 0 };
        let writable = if self.cpl == 3 || self.cr0 & cr0::WP != 0 { permit::WRITABLE } else { 0 };
        self.need_read = permit::CACHED | user | off;
        self.need_write = self.need_read | permit::DIRTY | writable;
    }

    /// Turns a debugger's watching of data on or off.
    pub(crate) fn set_watched(&mut self, watched: bool) {
        if self.watched != watched {
            self.watched = watched;
            self.refresh_needs();
        }
    }

    /// True if an unaligned operand raises #AC.
    pub(crate) fn checks_alignment(&self) -> bool {
        self.cpl == 3 && self.cr0 & cr0::AM != 0 && self.system_flags & flags::AC != 0
    }

    pub(crate) fn watched(&self) -> bool {
        self.watched
    }

    pub(crate) fn registers(&self) -> Registers {
        let mut general = [0; 8];
        general.copy_from_slice(&self.general[..8]);
        let mut segments = [Segment::default(); 6];
        segments.copy_from_slice(&self.segments[..6]);
        Registers {
            general,
            eip: self.eip,
            eflags: self.eflags(),
            segments,
            ldtr: self.ldtr,
            tr: self.tr,
            gdtr: self.gdtr,
            idtr: self.idtr,
            cr0: self.cr0,
            cr2: self.cr2,
            cr3: self.cr3,
            cr4: self.cr4,
            debug: self.debug,
        }
    }

    pub(crate) fn set_registers(&mut self, registers: &Registers) {
        self.general[..8].copy_from_slice(&registers.general);
        self.eip = registers.eip;
        self.set_eflags(registers.eflags);
        self.segments[..6].copy_from_slice(&registers.segments);
        self.ldtr = registers.ldtr;
        self.tr = registers.tr;
        self.gdtr = registers.gdtr;
        self.idtr = registers.idtr;
        self.cr0 = registers.cr0;
        self.cr2 = registers.cr2;
        self.cr3 = registers.cr3;
        self.cr4 = registers.cr4;
        self.debug = registers.debug;
        self.pipeline.drain();
        self.cpl = match (self.protected(), self.virtual_8086()) {
            (false, _) => 0,
            (true, true) => 3,
            (true, false) => registers.segments[sreg::SS].dpl(),
        };
        self.rearm();
    }
}
