//! Values that were never written, and pointers that leave their block.
//!
//! The check follows each retired instruction of a program. For each register and each byte of
//! memory it knows which bits were never written, and into which block of memory a pointer points.
//! A new block of an allocator and a new part of the stack are unwritten. Copies and arithmetic
//! carry both along; a value is reported only when a branch, an address or a system call depends on
//! it. An access by a pointer is compared with the block that the pointer was made for, whatever
//! lies at the address.
//!
//! Left out: memory that other cores write counts as written; memory by FS and GS; pointers into
//! parts of the stack and into variables.

mod float_step;
mod integer;
mod long;
mod machine;
mod shade;
mod shadow;
mod step;
#[cfg(test)]
mod tests;

use rockcreek_defs::Retired;

use self::machine::{Machine, Origin, Registers, Told};
use self::shade::{FIRST, MIXED, Shade, Tag};
use self::shadow::Shadow;
use self::step::{EAX, ESP, Kind, Step, decode};
use crate::hash::Map;

pub use self::machine::Use;

/// How many return addresses a report has.
pub const CALLS: usize = 12;
/// The largest number of calls that are kept.
const DEEPEST: usize = 1 << 16;
/// The largest number of interrupted instructions, one within the other, that are kept.
const INTERRUPTED: usize = 64;
/// The bytes of the longest instruction.
const LONGEST: usize = 15;
/// The largest number of blocks and frames of the stack that are distinguished on one core.
const ORIGINS: usize = 1 << 20;
/// The largest number of decoded instructions that are kept.
const DECODED: usize = 1 << 20;

/// A part of the code: where it begins, and its bytes.
pub type Code = (u32, Vec<u8>);

/// Something to report.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Report {
    pub what: Use,
    /// The number of the block of which the pointer or the unwritten bytes are.
    pub block: Option<u32>,
    /// The instruction that made the unwritten part of the stack.
    pub frame: Option<u32>,
    /// The address of the access; 0 for none.
    pub address: u32,
    pub bytes: u8,
    pub write: bool,
    /// The instruction, and the return addresses of the calls that led to it, innermost first.
    pub eip: u32,
    pub calls: [u32; CALLS],
    pub cycle: u64,
}

/// One core and its address space.
#[derive(Debug, Default)]
struct Core {
    user: Registers,
    kernel: Registers,
    memory: Shadow,
    origins: Vec<Origin>,
    frames: Map<u32, Tag>,
    /// The live block that begins at each address.
    blocks: Map<u32, Tag>,
    last: Retired,
    /// The address to which execution goes on, unless something interrupts; `None` if any may
    /// follow.
    next: Option<u32>,
    /// The last instruction of ring 3.
    last_user: u32,
    /// Where the program was interrupted: the registers, and the instruction, if it is known.
    interrupted: Vec<([u32; 8], Option<u32>)>,
    /// True if the last instruction was a system call.
    has_called: bool,
    /// True if the last instruction was an IRET.
    has_returned: bool,
    /// The registers where the instruction that goes on now was interrupted.
    resumed: Option<[u32; 8]>,
    /// For each call that has not returned, the stack pointer and the return address.
    calls: Vec<(u32, u32)>,
}

/// The check of values of all cores.
#[derive(Debug)]
pub(crate) struct Values {
    cores: Vec<Core>,
    code: Vec<Code>,
    decoded: Map<u32, Option<Step>>,
    told: Vec<Told>,
}

impl Values {
    /// `code`: all code of the program and of the kernel, in any order.
    pub fn new(cores: usize, code: Vec<Code>) -> Values {
        Values {
            cores: (0..cores).map(|_| Core::default()).collect(),
            code,
            decoded: Map::default(),
            told: Vec::new(),
        }
    }

    /// Follows one instruction of a core, in the order of its program. `quiet`: what it does is not
    /// reported. Passes what is wrong to `report`.
    pub fn retired(
        &mut self,
        core: usize,
        retired: &Retired,
        quiet: bool,
        report: &mut impl FnMut(Report),
    ) {
        if self.decoded.len() > DECODED {
            self.decoded.clear();
        }
        let code = &self.code;
        let step = *self.decoded.entry(retired.eip).or_insert_with(|| read(code, retired.eip));
        let core = &mut self.cores[core];
        let Some(step) = step else {
            core.lose(retired);
            return;
        };
        core.execute(&step, retired, &mut self.told);
        for told in self.told.drain(..) {
            if !quiet {
                report(core.report(told, retired));
            }
        }
    }

    /// A core has a new block, of that number, at addresses from `start` on. `unwritten`: nothing has written the bytes from that
    /// offset on. `returned`: EAX has its address. Returns false if the core has had too many
    /// blocks: pointers to this one are not followed.
    pub fn given(
        &mut self,
        core: usize,
        start: u32,
        bytes: u32,
        number: u32,
        unwritten: Option<u32>,
        returned: bool,
    ) -> bool {
        let core = &mut self.cores[core];
        let has_room = core.origins.len() < ORIGINS;
        let tag = if has_room {
            core.origins.push(Origin::Block { start, bytes, live: true, number });
            FIRST + core.origins.len() as Tag - 1
        } else {
            MIXED
        };
        core.blocks.insert(start, tag);
        core.fill_new(start, bytes, tag, unwritten, returned);
        has_room
    }

    /// A block has another size.
    pub fn resized(&mut self, core: usize, start: u32, bytes: u32, unwritten: Option<u32>) {
        let core = &mut self.cores[core];
        let Some(&tag) = core.blocks.get(&start) else { return };
        if let Some(Origin::Block { bytes: held, .. }) = core.origin_mut(tag) {
            *held = bytes;
        }
        core.fill_new(start, bytes, tag, unwritten, true);
    }

    /// All bytes of a block have been written.
    pub fn written(&mut self, core: usize, start: u32, bytes: u32) {
        self.cores[core].memory.fill(start, bytes, None);
    }

    /// A block was freed. `gone`: its memory went back to the kernel. Returns the block's number.
    pub fn freed(&mut self, core: usize, start: u32, gone: bool) -> Option<u32> {
        let core = &mut self.cores[core];
        let tag = core.blocks.remove(&start)?;
        let Some(Origin::Block { bytes, live, number, .. }) = core.origin_mut(tag) else {
            return None;
        };
        *live = false;
        let (bytes, number) = (*bytes, *number);
        if gone {
            core.memory.fill(start, bytes, None);
        }
        Some(number)
    }
}

/// Decodes the instruction at an address.
fn read(code: &[Code], at: u32) -> Option<Step> {
    let (start, bytes) =
        code.iter().find(|(start, bytes)| (at.wrapping_sub(*start) as usize) < bytes.len())?;
    let from = at.wrapping_sub(*start) as usize;
    decode(&bytes[from..bytes.len().min(from + LONGEST)], at)
}

impl Core {
    fn origin_mut(&mut self, tag: Tag) -> Option<&mut Origin> {
        self.origins.get_mut(tag.checked_sub(FIRST)? as usize)
    }

    fn fill_new(
        &mut self,
        start: u32,
        bytes: u32,
        tag: Tag,
        unwritten: Option<u32>,
        returned: bool,
    ) {
        if let Some(from) = unwritten.filter(|from| *from < bytes) {
            self.memory.fill(start.wrapping_add(from), bytes - from, Some(tag));
        }
        if returned {
            self.user.general[EAX] = Shade { bits: 0, tag };
        }
    }

    /// Takes over the registers after an instruction that cannot be followed.
    fn lose(&mut self, retired: &Retired) {
        if retired.user {
            self.user = Registers::default();
        }
        self.next = None;
        (self.has_called, self.has_returned) = (false, false);
        self.last = *retired;
    }

    fn execute(&mut self, step: &Step, retired: &Retired, told: &mut Vec<Told>) {
        self.note_interruption(retired);
        self.note_other_place(retired);
        let before = match step.repeated {
            true => self.resumed.take().unwrap_or(self.last.general),
            false => self.last.general,
        };
        self.resumed = None;
        let status_before = self.last.x87_status;
        let registers = if retired.user { &mut self.user } else { &mut self.kernel };
        let mut machine = Machine {
            step,
            before,
            status_before,
            after: retired,
            registers,
            memory: &mut self.memory,
            origins: &mut self.origins,
            frames: &mut self.frames,
            told,
        };
        match step.kind {
            Kind::Float(kind) => machine.float(kind),
            Kind::Other | Kind::InterruptReturn => machine.others(),
            _ => {
                let _ = machine.integer() || machine.string();
            }
        }
        if retired.user {
            self.follow_calls(step, &before, retired);
            self.last_user = retired.eip;
        }
        self.next = (!step.may_jump).then_some(step.next);
        match step.kind {
            // The kernel's IRET goes on behind it.
            Kind::SystemCall => self.interrupt(retired.general, Some(step.next)),
            Kind::InterruptReturn => {
                let (general, next) = self.interrupted.pop().unzip();
                (self.resumed, self.next) = (general, next.flatten());
            }
            _ => {}
        }
        self.has_called = step.kind == Kind::SystemCall;
        self.has_returned = step.kind == Kind::InterruptReturn;
        self.last = *retired;
    }

    /// Something has interrupted the program if another instruction follows than the next one.
    fn note_interruption(&mut self, retired: &Retired) {
        let enters = self.last.user && !retired.user;
        if enters {
            self.kernel = Registers::default();
        }
        let is_elsewhere = self.next.is_some_and(|next| next != retired.eip);
        if !retired.user && !self.has_called && (enters || is_elsewhere) {
            // An instruction may be interrupted again after it went on.
            let general = self.resumed.take().unwrap_or(self.last.general);
            self.interrupt(general, self.next);
        }
    }

    /// If the kernel returns to another place than the interrupted one (a signal's handler, what the
    /// signal had interrupted, a new program), nothing is known of the program's registers.
    fn note_other_place(&mut self, retired: &Retired) {
        let is_elsewhere = self.next.is_some_and(|next| next != retired.eip);
        if self.has_returned && retired.user && is_elsewhere {
            self.user = Registers::default();
            self.resumed = None;
        }
    }

    fn interrupt(&mut self, general: [u32; 8], next: Option<u32>) {
        if self.interrupted.len() == INTERRUPTED {
            self.interrupted.remove(0);
        }
        self.interrupted.push((general, next));
    }

    fn follow_calls(&mut self, step: &Step, before: &[u32; 8], retired: &Retired) {
        let stack = before[ESP];
        match step.kind {
            Kind::Call => {
                if self.calls.len() == DEEPEST {
                    self.calls.clear();
                }
                let top = retired.general[ESP];
                while self.calls.last().is_some_and(|(at, _)| *at <= top) {
                    self.calls.pop();
                }
                self.calls.push((top, step.next));
            }
            Kind::Return => {
                while self.calls.last().is_some_and(|(at, _)| *at <= stack) {
                    self.calls.pop();
                }
            }
            _ => {}
        }
    }

    fn report(&self, told: Told, retired: &Retired) -> Report {
        let origin = told.tag.checked_sub(FIRST).and_then(|n| self.origins.get(n as usize));
        let (block, frame) = match origin {
            Some(Origin::Block { number, .. }) => (Some(*number), None),
            Some(Origin::Stack(at)) => (None, Some(*at)),
            None => (None, None),
        };
        let mut calls = [0; CALLS];
        for (place, (_, back)) in calls.iter_mut().zip(self.calls.iter().rev()) {
            *place = *back;
        }
        Report {
            what: told.what,
            block,
            frame,
            address: told.address,
            bytes: told.bytes,
            write: told.write,
            // The kernel works for the program's system call.
            eip: if retired.user { retired.eip } else { self.last_user },
            calls,
            cycle: retired.cycle,
        }
    }
}
