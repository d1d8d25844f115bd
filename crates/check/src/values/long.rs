//! What string and x87 instructions do with shades.

use super::machine::{Machine, Use};
use super::shade::{MIXED, Shade};
use super::step::{ALL, EAX, ECX, EDI, ESI, Float, Kind, Place};

/// EFLAGS.DF: strings go down.
const DOWN: u32 = 1 << 10;
/// The bits C0 to C3 of the x87 status word.
const CONDITIONS: u32 = 0x4700;

impl Machine<'_> {
    /// The effect of a string instruction, with all its iterations; false if it is none.
    pub fn string(&mut self) -> bool {
        let kind = self.step.kind;
        let (reads, writes) = match kind {
            Kind::MoveString => (true, true),
            Kind::StoreString => (false, true),
            Kind::LoadString | Kind::CompareString | Kind::OutputString => (true, false),
            Kind::ScanString => (false, false),
            _ => return false,
        };
        let to = matches!(kind, Kind::CompareString | Kind::ScanString) || writes;
        let bytes = u32::from(self.step.memory.bytes.max(1));
        let count = if self.step.repeated {
            self.use_register(ECX);
            self.before[ECX].wrapping_sub(self.after.general[ECX])
        } else {
            1
        };
        let is_down = self.after.eflags & DOWN != 0;
        let length = count.saturating_mul(bytes);
        for (used, register, write) in [(reads, ESI, false), (to, EDI, writes)] {
            if used {
                let shade = self.use_register(register);
                let first = self.before[register];
                let first =
                    if is_down { first.wrapping_sub(length.wrapping_sub(bytes)) } else { first };
                self.check(first, shade.pointer(), length, bytes as u8, write);
            }
        }
        for n in 0..count {
            let distance = if is_down { (n * bytes).wrapping_neg() } else { n * bytes };
            self.string_part(kind, distance, bytes as u8);
        }
        for (used, register) in [(reads, ESI), (to, EDI)] {
            let by = self.after.general[register].wrapping_sub(self.before[register]);
            let shade = &mut self.registers.general[register];
            if used {
                shade.tag = super::shade::moved(shade.tag, by);
            }
        }
        true
    }

    fn use_register(&mut self, number: usize) -> Shade {
        let shade = self.registers.general[number];
        if shade.is_unwritten() {
            self.tell(Use::Address, shade);
            self.registers.general[number] = Shade { bits: 0, tag: MIXED };
        }
        self.registers.general[number]
    }

    fn string_part(&mut self, kind: Kind, distance: u32, bytes: u8) {
        let [source, target] = [ESI, EDI].map(|n| self.before[n].wrapping_add(distance));
        let eax = self.registers.general[EAX].part(0, bytes);
        match kind {
            Kind::MoveString => {
                let moved = self.peek(source, bytes);
                self.poke(target, bytes, moved);
            }
            Kind::StoreString => self.poke(target, bytes, eax),
            Kind::OutputString => {
                let sent = self.peek(source, bytes);
                if sent.is_unwritten() {
                    self.tell(Use::SystemCall, sent);
                }
            }
            Kind::LoadString => {
                let loaded = self.peek(source, bytes);
                self.write(Place::Register { number: EAX as u8, shift: 0, size: bytes }, loaded);
            }
            _ => {
                let one = if kind == Kind::ScanString { eax } else { self.peek(source, bytes) };
                let other = self.peek(target, bytes);
                let both = Shade::mixed(one.bits | other.bits, one, other);
                if both.is_unwritten() && distance != 0 && self.step.repeated {
                    self.set_flags(ALL, ALL, both.tag);
                } else if distance == 0 || both.is_unwritten() {
                    self.set_flags(ALL, if both.is_unwritten() { ALL } else { 0 }, both.tag);
                }
            }
        }
    }

    fn top(&self, status: u16) -> usize {
        usize::from(status >> 11 & 7)
    }

    /// The shade of register `n` of the x87 stack as it was before the instruction.
    fn float_register(&mut self, n: u8) -> &mut Shade {
        let top = self.top(self.status_before);
        &mut self.registers.float[(top + usize::from(n)) & 7]
    }

    fn set_top(&mut self, shade: Shade) {
        let top = self.top(self.after.x87_status);
        self.registers.float[top] = shade;
    }

    /// The effect of an x87 instruction.
    pub fn float(&mut self, kind: Float) {
        match kind {
            Float::Load => {
                let loaded = self.load_long();
                self.set_top(loaded);
            }
            Float::LoadRegister(n) => {
                let copied = *self.float_register(n);
                self.set_top(copied);
            }
            Float::Constant => self.set_top(Shade::WRITTEN),
            Float::Store => {
                let stored = *self.float_register(0);
                self.store_long(stored);
            }
            Float::StoreRegister(n) => {
                let stored = *self.float_register(0);
                *self.float_register(n) = stored;
            }
            Float::Exchange(n) => {
                let (first, other) = (*self.float_register(0), *self.float_register(n));
                *self.float_register(0) = other;
                *self.float_register(n) = first;
            }
            Float::WithMemory => {
                let operand = self.load_long();
                let first = self.float_register(0);
                *first = either(*first, operand);
            }
            Float::Registers(to, from) => {
                let operand = *self.float_register(from);
                let result = self.float_register(to);
                *result = either(*result, operand);
            }
            Float::Binary => {
                let result = either(*self.float_register(0), *self.float_register(1));
                self.set_top(result);
            }
            Float::Unary => {
                let result = *self.float_register(0);
                self.set_top(result);
            }
            Float::CompareMemory => {
                let operand = self.load_long();
                self.registers.status = either(*self.float_register(0), operand);
            }
            Float::Compare(n) => {
                self.registers.status = if n == 0 {
                    *self.float_register(0)
                } else {
                    either(*self.float_register(0), *self.float_register(n))
                };
            }
            Float::Status => {
                let status = self.registers.status;
                let bits = if status.is_unwritten() { CONDITIONS } else { 0 };
                self.write(self.step.to, Shade { bits, ..status });
            }
            Float::Reset => {
                self.registers.float = [Shade::WRITTEN; 8];
                self.registers.status = Shade::WRITTEN;
                self.others();
            }
        }
    }

    /// An instruction of no class: what it changes counts as written.
    pub fn others(&mut self) {
        for (n, register) in self.registers.general.iter_mut().enumerate() {
            if self.step.writes >> n & 1 != 0 {
                *register = Shade::WRITTEN;
            }
        }
        if self.step.has_memory && self.step.writes_memory && self.step.memory.bytes > 0 {
            self.store_long(Shade::WRITTEN);
        }
        self.registers.flags = 0;
    }
}

fn either(one: Shade, other: Shade) -> Shade {
    if one.is_unwritten() { one } else { other }
}
