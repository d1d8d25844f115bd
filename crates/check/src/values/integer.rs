//! What integer instructions do with shades.

use super::machine::{Machine, Use};
use super::shade::{Known, MIXED, NONE, Shade, Tag, mask, moved, smear};
use super::step::{AF, ALL, CF, EAX, EBP, ECX, EDX, ESP, Kind, OF, PF, Place, SF, ZF};

/// The stack grows by at most this many bytes at once; a larger distance leads to another stack.
const LARGEST_FRAME: u32 = 1 << 23;
/// [`LARGEST_FRAME`] where the stack pointer is loaded and not computed.
const LARGEST_LOADED: u32 = 1 << 16;

impl Machine<'_> {
    /// The effect of the instruction; false if its kind is none of these.
    pub fn integer(&mut self) -> bool {
        let (to, from) = (self.step.to, self.step.from);
        match self.step.kind {
            Kind::Move => {
                let moved = self.read(from).shade;
                self.write(to, moved);
                if to == (Place::Register { number: ESP as u8, shift: 0, size: 4 }) {
                    self.grow_stack(LARGEST_LOADED);
                }
            }
            Kind::ZeroExtend | Kind::SignExtend => self.extend(),
            Kind::Address => self.lea(),
            Kind::Add | Kind::Subtract | Kind::Carry | Kind::Count | Kind::Negate => self.sum(),
            Kind::And | Kind::Or | Kind::Xor => self.logic(),
            Kind::Compare | Kind::Test => self.compare(),
            Kind::Not => {
                let old = self.read(to).shade;
                self.write(to, Shade::mixed(old.bits, old, Shade::WRITTEN));
            }
            Kind::ShiftLeft | Kind::ShiftRight | Kind::ShiftArithmetic => self.shift(),
            Kind::Stir | Kind::BitTest | Kind::Product | Kind::Wide => self.stir(),
            Kind::SwapBytes => {
                let old = self.read(to).shade;
                self.write(to, Shade::mixed(old.bits.swap_bytes(), old, old));
            }
            Kind::ExtendInto => {
                let eax = self.registers.general[EAX];
                let bits = if eax.bits >> 31 != 0 { u32::MAX } else { 0 };
                self.registers.general[EDX] = Shade::mixed(bits, eax, Shade::WRITTEN);
            }
            Kind::ExtendWithin => {
                let eax = self.registers.general[EAX];
                let bits = eax.bits as u16 as i16 as u32;
                self.registers.general[EAX] = Shade::mixed(bits, eax, Shade::WRITTEN);
            }
            Kind::Exchange | Kind::ExchangeAdd | Kind::CompareExchange => self.exchange(),
            _ => return self.flag_or_flow() || self.stack(),
        }
        if to == (Place::Register { number: ESP as u8, shift: 0, size: 4 })
            && self.step.kind != Kind::Move
        {
            self.grow_stack(LARGEST_FRAME);
        }
        true
    }

    fn extend(&mut self) {
        let size = self.size(self.step.from);
        let part = self.read(self.step.from).shade;
        let sign = part.bits >> (8 * size - 1) & 1 != 0 && self.step.kind == Kind::SignExtend;
        let above = if sign { !mask(size) & mask(self.size(self.step.to)) } else { 0 };
        self.write(self.step.to, Shade::mixed(part.bits | above, part, Shade::WRITTEN));
    }

    /// ADD, SUB, ADC, SBB, INC, DEC, NEG.
    fn sum(&mut self) {
        let (to, kind) = (self.step.to, self.step.kind);
        let size = self.size(to);
        let (one, other) = (self.read(to), self.read(self.step.from));
        let carry = kind == Kind::Carry && self.registers.flags & CF != 0;
        let is_same = to == self.step.from && matches!(kind, Kind::Subtract | Kind::Carry);
        let own = if is_same && kind != Kind::Add { 0 } else { one.shade.bits | other.shade.bits };
        let bits = (smear(own) | if carry { u32::MAX } else { 0 }) & mask(size);
        let offset =
            self.result(to).zip(one.value).map(|(after, before)| after.wrapping_sub(before));
        let pointer = match kind {
            _ if is_same => NONE,
            Kind::Add => sum_of(one.shade.pointer(), other.shade.pointer(), offset, one.value),
            Kind::Subtract | Kind::Count => match (one.shade.pointer(), other.shade.pointer()) {
                (tag, NONE) => offset.map_or(MIXED, |offset| moved(tag, offset)),
                _ => MIXED,
            },
            _ if one.shade.tag == NONE && other.shade.tag == NONE => NONE,
            _ => MIXED,
        };
        let pointer = if size == 4 { pointer } else { MIXED.min(pointer) };
        let mut shade = Shade::from(bits, one.shade, other.shade, pointer);
        if carry && own == 0 {
            shade.tag = self.registers.flags_tag;
        }
        self.write(to, shade);
        let value = self.result(to);
        let zero = self.is_zero_unknown(bits, size, value);
        let changed = if kind == Kind::Count { ALL & !CF } else { ALL };
        let any = if bits != 0 { ALL & !ZF } else { 0 };
        self.set_flags(changed, any | zero, shade.tag);
    }

    /// ZF if it depends on unwritten bits of a result. `value`: the result, if it is known.
    fn is_zero_unknown(&self, bits: u32, size: u8, value: Option<u32>) -> u32 {
        let unknown = bits & mask(size) != 0
            && match value {
                Some(value) => value & !bits & mask(size) == 0,
                None => self.after.eflags & ZF != 0 || bits & mask(size) == mask(size),
            };
        if unknown { ZF } else { 0 }
    }

    fn logic(&mut self) {
        let (to, kind) = (self.step.to, self.step.kind);
        let size = self.size(to);
        let (one, other) = (self.read(to), self.read(self.step.from));
        let is_same = to == self.step.from;
        let bits = match kind {
            Kind::Xor if is_same => 0,
            Kind::Xor => one.shade.bits | other.shade.bits,
            _ => masked(one, other, kind == Kind::Or),
        } & mask(size);
        let is_alignment = |known: Known| known.value.is_some_and(|value| value >> 31 != 0);
        let pointer = match (one.shade.pointer(), other.shade.pointer()) {
            (NONE, NONE) => NONE,
            _ if kind == Kind::Xor && is_same => NONE,
            (tag, other) if is_same && tag == other => tag,
            (tag, NONE) if kind == Kind::And && is_alignment(other) && size == 4 => tag,
            (NONE, tag) if kind == Kind::And && is_alignment(one) && size == 4 => tag,
            _ => MIXED,
        };
        let shade = Shade::from(bits, one.shade, other.shade, pointer);
        self.write(to, shade);
        let value = self.result(to);
        self.set_logic_flags(shade, size, value);
    }

    /// The flags of AND, OR, XOR and TEST.
    fn set_logic_flags(&mut self, shade: Shade, size: u8, value: Option<u32>) {
        let sign = if shade.bits >> (8 * size - 1) & 1 != 0 { SF } else { 0 };
        let parity = if shade.bits & 0xFF != 0 { PF } else { 0 };
        let zero = self.is_zero_unknown(shade.bits, size, value);
        self.set_flags(ALL, sign | parity | zero, shade.tag);
    }

    /// CMP and TEST.
    fn compare(&mut self) {
        let size = self.size(self.step.to);
        let (one, other) = (self.read(self.step.to), self.read(self.step.from));
        if self.step.kind == Kind::Test {
            let bits = masked(one, other, false) & mask(size);
            let value = one.value.zip(other.value).map(|(one, other)| one & other);
            let shade = Shade::from(bits, one.shade, other.shade, NONE);
            self.set_logic_flags(shade, size, value);
            return;
        }
        let bits = (one.shade.bits | other.shade.bits) & mask(size);
        let is_same = self.step.to == self.step.from;
        let differ = one.value.zip(other.value).map(|(one, other)| one ^ other);
        let any = if bits != 0 && !is_same { ALL & !ZF } else { 0 };
        let zero = if is_same { 0 } else { self.is_zero_unknown(bits, size, differ) };
        let tag = Shade::from(bits, one.shade, other.shade, NONE).tag;
        self.set_flags(ALL, any | zero, tag);
    }

    fn shift(&mut self) {
        let to = self.step.to;
        let size = self.size(to);
        let (one, count) = (self.read(to), self.read(self.step.from));
        let by = count.value.unwrap_or(1) & 31;
        let bits = one.shade.bits;
        let sign = bits >> (8 * size - 1) & 1 != 0;
        let shifted = match self.step.kind {
            _ if count.shade.bits & 31 != 0 => u32::MAX,
            Kind::ShiftLeft => bits << by,
            Kind::ShiftArithmetic if sign => (bits | !mask(size)) >> by | !(u32::MAX >> by),
            _ => bits >> by,
        } & mask(size);
        let shade = Shade::mixed(shifted, one.shade, count.shade);
        self.write(to, shade);
        if by == 0 {
            return;
        }
        let value = self.result(to);
        let zero = self.is_zero_unknown(shifted, size, value);
        let sign = if shifted >> (8 * size - 1) & 1 != 0 { SF } else { 0 };
        let lost = if bits != 0 || count.shade.is_unwritten() { CF | OF | AF } else { 0 };
        let parity = if shifted & 0xFF != 0 { PF } else { 0 };
        let tag = if bits != 0 { one.shade.tag } else { count.shade.tag };
        self.set_flags(ALL, zero | sign | lost | parity, tag);
    }

    /// Products, quotients, rotations, bit scans: all bits depend on all operands.
    fn stir(&mut self) {
        let (to, kind) = (self.step.to, self.step.kind);
        let mut all = Shade::WRITTEN;
        let first = if self.step.reads_to { to } else { Place::Nowhere };
        for place in [first, self.step.from, self.step.third] {
            let one = self.read(place).shade;
            all = Shade::mixed(all.bits | one.bits, all, one);
        }
        if kind == Kind::Wide {
            self.wide(all);
            return;
        }
        let bits = match kind {
            Kind::Product => smear(all.bits),
            _ if all.is_unwritten() => u32::MAX,
            _ => 0,
        };
        if kind != Kind::BitTest {
            self.write(to, Shade { bits: bits & mask(self.size(to)), ..all });
        }
        self.set_flags(ALL, if all.is_unwritten() { ALL } else { 0 }, all.tag);
    }

    /// MUL, IMUL, DIV and IDIV of EAX, and of EDX if they divide.
    fn wide(&mut self, operand: Shade) {
        let size = self.size(self.step.to);
        let general = &mut self.registers.general;
        let low = general[EAX].part(0, size);
        let has_high = self.step.divides && size > 1;
        let high = if has_high { general[EDX].part(0, size) } else { Shade::WRITTEN };
        let both = Shade::mixed(operand.bits | low.bits, operand, low);
        let all = Shade::mixed(both.bits | high.bits, both, high);
        let bits = if all.is_unwritten() { u32::MAX } else { 0 };
        let written = size.max(2);
        let result = Shade { bits: bits & mask(written), ..all };
        general[EAX] = general[EAX].with_part(0, written, result);
        if size > 1 {
            general[EDX] = general[EDX].with_part(0, size, result);
        }
        self.set_flags(ALL, if bits != 0 { ALL } else { 0 }, all.tag);
    }

    fn exchange(&mut self) {
        let (to, from) = (self.step.to, self.step.from);
        let (one, other) = (self.read(to).shade, self.read(from).shade);
        match self.step.kind {
            Kind::Exchange => {
                self.write(to, other);
                self.write(from, one);
            }
            Kind::ExchangeAdd => {
                let bits = smear(one.bits | other.bits);
                self.write(to, Shade::mixed(bits, one, other));
                self.write(from, one);
                self.set_flags(ALL, if bits != 0 { ALL } else { 0 }, one.tag);
            }
            _ => {
                let eax = self.registers.general[EAX];
                let bits = one.bits | eax.bits;
                let tag = Shade::mixed(bits, one, eax).tag;
                self.set_flags(ALL, if bits != 0 { ALL } else { 0 }, tag);
                if self.after.eflags & ZF != 0 {
                    self.write(to, other);
                } else {
                    self.write(Place::Register { number: EAX as u8, shift: 0, size: 4 }, one);
                }
            }
        }
    }

    fn flag_or_flow(&mut self) -> bool {
        let undefined = self.registers.flags & self.step.reads;
        let of_flags = Shade { bits: undefined, tag: self.registers.flags_tag };
        match self.step.kind {
            Kind::Branch => {
                if undefined != 0 {
                    self.tell(Use::Branch, of_flags);
                    self.registers.flags = 0;
                }
            }
            Kind::CountedBranch => {
                let ecx = self.registers.general[ECX];
                if ecx.is_unwritten() || undefined != 0 {
                    self.tell(Use::Branch, if ecx.is_unwritten() { ecx } else { of_flags });
                    self.registers.general[ECX] = Shade::WRITTEN;
                    self.registers.flags = 0;
                }
            }
            Kind::SetFlag => {
                let bit = u32::from(undefined != 0);
                let tag = if bit != 0 { of_flags.tag } else { NONE };
                self.write(self.step.to, Shade { bits: bit, tag });
            }
            Kind::LoadFlags => {
                self.registers.general[EAX] =
                    self.registers.general[EAX].with_part(8, 1, self.flags_shade())
            }
            Kind::StoreFlags => {
                let ah = self.registers.general[EAX].part(8, 1);
                self.set_flags(CF | PF | AF | ZF | SF, ah.bits, ah.tag);
            }
            Kind::Jump | Kind::Call if self.step.to != Place::Nowhere => {
                let target = self.read(self.step.to).shade;
                if target.is_unwritten() {
                    self.tell(Use::Address, target);
                    self.write_if_register(self.step.to);
                }
                if self.step.kind == Kind::Call {
                    self.push(Shade::WRITTEN);
                }
            }
            Kind::Jump => {}
            Kind::Call => self.push(Shade::WRITTEN),
            _ => return false,
        }
        true
    }

    fn write_if_register(&mut self, place: Place) {
        if place != Place::Memory {
            self.write(place, Shade::WRITTEN);
        }
    }

    fn flags_shade(&self) -> Shade {
        let bits = self.registers.flags & 0xFF;
        Shade { bits, tag: if bits != 0 { self.registers.flags_tag } else { NONE } }
    }

    fn push(&mut self, shade: Shade) {
        let at = self.after.general[ESP];
        let bytes = self.before[ESP].wrapping_sub(at).min(4) as u8;
        // The kernel saves the program's registers, without using them.
        if bytes > 0 && !self.kernel() {
            self.memory.write(at, bytes, shade);
        }
    }

    fn stack(&mut self) -> bool {
        match self.step.kind {
            Kind::Push => {
                let pushed = self.read(self.step.to).shade;
                self.push(pushed);
            }
            Kind::Pop => {
                let popped = self.peek(self.before[ESP], self.size(self.step.to));
                self.write(self.step.to, popped);
            }
            Kind::Leave => {
                let at = self.before[EBP];
                self.registers.general[ESP] = Shade::WRITTEN;
                self.registers.general[EBP] = self.peek(at, 4);
            }
            Kind::Output => {
                let sent = self.read(self.step.from).shade;
                if sent.is_unwritten() {
                    self.tell(Use::SystemCall, sent);
                }
            }
            Kind::PushFlags => self.push(self.flags_shade()),
            Kind::PopFlags => self.registers.flags = 0,
            Kind::Return => {}
            Kind::SystemCall => {
                let number = self.registers.general[EAX];
                if number.is_unwritten() {
                    self.tell(Use::SystemCall, number);
                }
                // The kernel's answer.
                self.registers.general[EAX] = Shade::WRITTEN;
            }
            _ => return false,
        }
        true
    }
}

/// The bits of an AND (`or`: of an OR) that depend on unwritten bits of its operands: not those
/// that the other operand alone decides. An operand whose value is not known is taken to decide.
fn masked(one: Known, other: Known, or: bool) -> u32 {
    let decides = |known: Known| {
        let value = known.value.map_or(u32::MAX, |value| if or { value } else { !value });
        value & !known.shade.bits
    };
    let (first, second) = (one.shade.bits, other.shade.bits);
    first & second | first & !decides(other) | second & !decides(one)
}

/// What a sum of two values points into. `offset`: what was added to the first, whose value is
/// `first`.
fn sum_of(one: Tag, other: Tag, offset: Option<u32>, first: Option<u32>) -> Tag {
    match (one, other) {
        (NONE, NONE) => NONE,
        (tag, NONE) => offset.map_or(MIXED, |offset| moved(tag, offset)),
        (NONE, tag) => first.map_or(MIXED, |first| moved(tag, first)),
        _ => MIXED,
    }
}
