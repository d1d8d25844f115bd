//! One retired instruction: its operands, its accesses to memory, and what it uses that was never
//! written.

use rockcreek_defs::Retired;

use super::shade::{FIRST, Known, MIXED, NONE, Shade, Tag, mask, moved, smear};
use super::shadow::Shadow;
use super::step::{ALL, ESP, Operand, Place, Step};
use crate::hash::Map;

/// The first address of the kernel's own memory and of devices.
const USER_END: u32 = 0xC000_0000;

/// How a program used a value that was never written, or a pointer wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Use {
    Branch,
    Address,
    SystemCall,
    /// An access beyond the block that the pointer points into.
    Beyond,
    /// An access by a pointer into a block that was freed.
    Freed,
}

/// One [`Use`]: the origin or the block, and the access.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    pub what: Use,
    pub tag: Tag,
    pub address: u32,
    pub bytes: u8,
    pub write: bool,
}

/// The memory that a tag stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin {
    /// Bytes of the stack, made by the instruction at this address.
    Stack(u32),
    Block {
        start: u32,
        bytes: u32,
        live: bool,
        number: u32,
    },
}

/// The shades of a core's registers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Registers {
    pub general: [Shade; 8],
    /// A one for each flag that depends on what was never written.
    pub flags: u32,
    pub flags_tag: Tag,
    pub float: [Shade; 8],
    /// The x87 status word.
    pub status: Shade,
}

pub(super) struct Machine<'a> {
    pub step: &'a Step,
    /// The general registers and the x87 status before the instruction.
    pub before: [u32; 8],
    pub status_before: u16,
    pub after: &'a Retired,
    pub registers: &'a mut Registers,
    pub memory: &'a mut Shadow,
    pub origins: &'a mut Vec<Origin>,
    /// The origin of the part of the stack that each instruction makes.
    pub frames: &'a mut Map<u32, Tag>,
    pub told: &'a mut Vec<Told>,
}

impl Machine<'_> {
    pub fn kernel(&self) -> bool {
        !self.after.user
    }

    pub fn tell(&mut self, what: Use, shade: Shade) {
        let what = if self.kernel() { Use::SystemCall } else { what };
        self.told.push(Told { what, tag: shade.tag, address: 0, bytes: 4, write: false });
    }

    /// The value of an operand; reads memory.
    pub fn read(&mut self, place: Place) -> Known {
        match place {
            Place::Register { number, shift, size } => {
                let n = usize::from(number);
                let value = self.before[n] >> shift & mask(size);
                let shade = self.registers.general[n].part(shift, size);
                Known { shade, value: Some(value) }
            }
            Place::Memory => Known { shade: self.load(), value: None },
            Place::Immediate(value) => Known { shade: Shade::WRITTEN, value: Some(value) },
            Place::Nowhere => Known { shade: Shade::WRITTEN, value: None },
        }
    }

    /// The size of an operand in bytes.
    pub fn size(&self, place: Place) -> u8 {
        match place {
            Place::Register { size, .. } => size,
            Place::Memory => self.step.memory.bytes.min(4),
            _ => 4,
        }
    }

    /// The value of an operand after the instruction, if it is a register.
    pub fn result(&self, place: Place) -> Option<u32> {
        match place {
            Place::Register { number, shift, size } => {
                Some(self.after.general[usize::from(number)] >> shift & mask(size))
            }
            _ => None,
        }
    }

    pub fn write(&mut self, place: Place, shade: Shade) {
        match place {
            Place::Register { number, shift, size } => {
                let register = &mut self.registers.general[usize::from(number)];
                *register = register.with_part(shift, size, shade);
            }
            Place::Memory => self.store(shade),
            _ => {}
        }
    }

    /// The shade of a register, which loses what was never written: that is reported once.
    fn used_as_address(&mut self, number: u8) -> Shade {
        let Some(shade) = self.registers.general.get(usize::from(number)).copied() else {
            return Shade::WRITTEN;
        };
        if !shade.is_unwritten() {
            return shade;
        }
        self.tell(Use::Address, shade);
        self.registers.general[usize::from(number)] = Shade { bits: 0, tag: MIXED };
        Shade { bits: 0, tag: MIXED }
    }

    fn value(&self, number: u8) -> u32 {
        self.before.get(usize::from(number)).copied().unwrap_or(0)
    }

    /// The address of the memory operand, and the block into which the pointer in it points.
    pub fn address(&mut self, operand: Operand) -> (u32, Tag) {
        let (base, index) =
            (self.used_as_address(operand.base), self.used_as_address(operand.index));
        self.place_of(operand, base, index)
    }

    /// The address of the memory operand, and the block, from the shades of its two registers.
    pub fn place_of(&self, operand: Operand, base: Shade, index: Shade) -> (u32, Tag) {
        let (first, second) = (self.value(operand.base), self.value(operand.index));
        let at = first.wrapping_add(second << operand.scale).wrapping_add(operand.displacement);
        let tag = match (base.pointer(), index.pointer()) {
            (tag, NONE) => moved(tag, at.wrapping_sub(first)),
            (NONE, tag) if operand.scale == 0 => moved(tag, at.wrapping_sub(second)),
            _ => MIXED,
        };
        (at, tag)
    }

    /// The address of the memory operand; `None` if it is in a segment whose base is not known.
    fn accessed(&mut self, write: bool) -> Option<u32> {
        let operand = self.step.memory;
        let (at, tag) = self.address(operand);
        if operand.elsewhere {
            return None;
        }
        self.check(at, tag, operand.bytes.into(), operand.bytes, write);
        Some(at)
    }

    /// Compares an access to `length` bytes, made in parts of `bytes`, with the pointer's block.
    pub fn check(&mut self, at: u32, tag: Tag, length: u32, bytes: u8, write: bool) {
        if tag < FIRST || self.kernel() || length == 0 {
            return;
        }
        let Some(&Origin::Block { start, bytes: held, live, .. }) =
            self.origins.get((tag - FIRST) as usize)
        else {
            return;
        };
        let first = at.wrapping_sub(start);
        let is_within = first < held && length <= held - first;
        if is_within && live {
            return;
        }
        let what = if live { Use::Beyond } else { Use::Freed };
        let address = if first < held && length > u32::from(bytes) {
            // The first part of a long access that is not whole within the block.
            at + (held - first) / u32::from(bytes) * u32::from(bytes)
        } else {
            at
        };
        self.told.push(Told { what, tag, address, bytes, write });
    }

    fn load(&mut self) -> Shade {
        match self.accessed(false) {
            Some(at) => self.peek(at, self.step.memory.bytes.min(4)),
            None => Shade { bits: 0, tag: MIXED },
        }
    }

    fn store(&mut self, shade: Shade) {
        if let Some(at) = self.accessed(true) {
            self.poke(at, self.step.memory.bytes.min(4), shade);
        }
    }

    pub fn peek(&self, at: u32, bytes: u8) -> Shade {
        if self.kernel() && at >= USER_END { Shade::WRITTEN } else { self.memory.read(at, bytes) }
    }

    /// Writes to memory. What the kernel takes from a program and keeps or passes on is used.
    pub fn poke(&mut self, at: u32, bytes: u8, shade: Shade) {
        if !self.kernel() || at < USER_END {
            self.memory.write(at, bytes, shade);
        } else if shade.is_unwritten() {
            self.tell(Use::SystemCall, shade);
        }
    }

    /// The memory operand of more than four bytes: whether any of them was never written.
    pub fn load_long(&mut self) -> Shade {
        let Some(at) = self.accessed(false) else { return Shade::WRITTEN };
        let bytes = u32::from(self.step.memory.bytes);
        let parts = (0..bytes).step_by(4).map(|n| self.peek(at + n, (bytes - n).min(4) as u8));
        let unwritten = parts.into_iter().find(|part| part.is_unwritten());
        unwritten.map_or(Shade::WRITTEN, |part| Shade { bits: u32::MAX, tag: part.tag })
    }

    pub fn store_long(&mut self, shade: Shade) {
        let Some(at) = self.accessed(true) else { return };
        let bytes = u32::from(self.step.memory.bytes);
        let part = if shade.is_unwritten() { shade } else { Shade::WRITTEN };
        for n in (0..bytes).step_by(4) {
            self.poke(at + n, (bytes - n).min(4) as u8, part);
        }
    }

    /// The address of a LEA: a value, no access.
    pub fn lea(&mut self) {
        let operand = self.step.memory;
        let shade = |number: u8| {
            self.registers.general.get(usize::from(number)).copied().unwrap_or(Shade::WRITTEN)
        };
        let (base, index) = (shade(operand.base), shade(operand.index));
        let (_, tag) = self.place_of(operand, base, index);
        let bits = smear(base.bits | index.bits << operand.scale);
        let size = self.size(self.step.to);
        self.write(self.step.to, Shade::from(bits & mask(size), base, index, tag));
    }

    /// Sets which flags depend on what was never written.
    pub fn set_flags(&mut self, changed: u32, unwritten: u32, tag: Tag) {
        let registers = &mut *self.registers;
        registers.flags = registers.flags & !changed | unwritten & changed & ALL;
        if unwritten != 0 {
            registers.flags_tag = tag;
        }
    }

    /// The stack has grown down to ESP by an instruction that writes nothing there: what lies
    /// there was never written.
    pub fn grow_stack(&mut self, most: u32) {
        let (from, to) = (self.after.general[ESP], self.before[ESP]);
        let bytes = to.wrapping_sub(from);
        if self.kernel() || bytes > most {
            return;
        }
        let tag = self.stack_origin();
        self.memory.fill(from, bytes, Some(tag));
    }

    fn stack_origin(&mut self) -> Tag {
        let (origins, at) = (&mut *self.origins, self.after.eip);
        *self.frames.entry(at).or_insert_with(|| {
            origins.push(Origin::Stack(at));
            FIRST + origins.len() as Tag - 1
        })
    }
}
