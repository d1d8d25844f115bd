//! The integer instructions that translated code executes itself (`coverage.rs`), except
//! multiplications, divisions and shifts.

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};

use super::flags::{Fate, Flags, reads_flags, sets_flags};
use super::mov_push::Moved;
use crate::execute::op::Op;
use crate::instruction::shape::Form;
use crate::translator::access::fast_access::Access;
use crate::translator::regions::collect::Item;
use crate::translator::regions::x87_roles::X87Role;
use crate::translator::x64::encoding::high_bytes::is_second_byte;
use crate::translator::x64::encoding::host_registers::{EAX, EBP, EDX, ESP, RCX, RDX};
use crate::translator::x64::encoding::operand_sizes::sized;
use crate::translator::x64::encoding::{offsets, short_encodings};
use crate::translator::x64::host;
use crate::translator::x64::region::coverage::{Binary, Kind, Unary, kind, own};
use crate::translator::x64::region::emit::{Done, Emitter};
use crate::translator_frame::host_frame::NO_AUXILIARY;

/// The flags in AH: SF, ZF, AF, PF and CF; and the bit that LAHF always sets.
const AH_FLAGS: i32 = 0xD500;
const AH_ALWAYS_ONE: i32 = 0x0200;

/// Emits an instruction with two operands of the guest's size; nothing for `Test`: callers emit it.
macro_rules! binary {
    ($asm:expr, $size:expr, $kind:expr, $($operands:tt)*) => {
        match $kind {
            Binary::Add => sized!($asm, $size, add, $($operands)*),
            Binary::Adc => sized!($asm, $size, adc, $($operands)*),
            Binary::Sub => sized!($asm, $size, sub, $($operands)*),
            Binary::Sbb => sized!($asm, $size, sbb, $($operands)*),
            Binary::And => sized!($asm, $size, and, $($operands)*),
            Binary::Or => sized!($asm, $size, or, $($operands)*),
            Binary::Xor => sized!($asm, $size, xor, $($operands)*),
            Binary::Cmp => sized!($asm, $size, cmp, $($operands)*),
            Binary::Test => {}
        }
    };
}

/// Emits the host code of one guest instruction (`item`, decoded as `op`).
pub(crate) fn item(emitter: &mut Emitter, item: &Item, op: *const Op, fate: Fate) {
    if item.x87_role == X87Role::InPlace {
        emitter.float(item, op);
        return;
    }
    let Some(kind) = kind(item) else {
        emitter.step(item, op, reads_flags(item) || sets_flags(item));
        return;
    };
    match kind {
        Kind::Nothing => emitter.done.add(own(item, None)),
        Kind::Move => emitter.move_(item, op),
        Kind::Binary(kind) => emitter.binary(item, op, kind, fate),
        Kind::Unary(kind) => emitter.unary(item, op, kind, fate),
        Kind::Shift(_) | Kind::ShiftByCl(_) | Kind::Rotate { .. } => {
            emitter.turn(item, op, kind, fate);
        }
        Kind::AhToFlags => emitter.ah_to_flags(item),
        Kind::Multiply => emitter.multiply(item, op, fate),
        Kind::Widen { signed } => emitter.widen(item, op, signed),
        Kind::Product { signed } => emitter.product(item, op, signed, fate),
        Kind::Quotient { signed } => emitter.quotient(item, op, signed),
        Kind::DoubleShift { left, by_cl } => emitter.double_shift(item, left, by_cl, fate),
        Kind::Bit(kind) => emitter.bit(item, op, kind),
        Kind::Carry(carry) => emitter.carry(item, carry),
        Kind::Scan { up } => emitter.scan(item, op, up),
        Kind::InvalidateMessages => emitter.invalidate_messages(item),
        Kind::PushMemory => emitter.push_memory(item, op),
        Kind::Element(element) => emitter.element(item, op, element, fate),
        Kind::Handled => emitter.by_handler(item, op),
        Kind::ExchangeAdd | Kind::CompareExchange | Kind::ExchangeMemory => {
            emitter.exchange_in_memory(item, op, kind, fate)
        }
        Kind::SetMemory(condition) => emitter.set_memory(item, op, condition),
        Kind::Push | Kind::Pop | Kind::Leave => emitter.stack(item, op, kind),
        _ => emitter.register_only(item, kind),
    }
}

impl Emitter<'_> {
    fn move_(&mut self, item: &Item, op: *const Op) {
        let (size, form) = (item.shape().size, item.shape().form);
        let (a, i) = (host(item.op().a), item.op().immediate);
        if !item.shape().uses_memory() {
            match form {
                _ if is_second_byte(item, item.op().a) => self.move_to_second_byte(item),
                Form::RR => {
                    let b = self.second(item, item.op().b, RCX);
                    sized!(self.asm, size, mov, r a, r b);
                }
                _ => sized!(self.asm, size, mov, r a, i i),
            }
            self.done.add(own(item, None));
            return;
        }
        let access = if form == Form::RM { Access::Load } else { Access::Store };
        let own = own(item, Some(access));
        self.address(item.op());
        let rejoin = self.reach(item, op, size, access, own, None);
        match form {
            Form::RM if is_second_byte(item, item.op().a) => {
                dynasm!(self.asm ; .arch x64 ; mov cl, [rdx + rax]);
                self.put_second(item.op().a, RCX);
            }
            Form::RM => sized!(self.asm, size, mov, r a, m),
            _ => self.store_moved(&Moved::of(item).expect("it is a store")),
        }
        self.rejoin(rejoin, own);
    }

    fn binary(&mut self, item: &Item, op: *const Op, kind: Binary, fate: Fate) {
        let (size, form) = (item.shape().size, item.shape().form);
        let (number, i) = (item.op().a, item.op().immediate);
        if !item.shape().uses_memory() {
            if kind.uses_carry() {
                self.need_carry();
            }
            let b = if form == Form::RR { self.second(item, item.op().b, RCX) } else { 0 };
            let a = self.second(item, number, RDX);
            match (form, kind) {
                (Form::RR, Binary::Test) => sized!(self.asm, size, test, r a, r b),
                (Form::RR, _) => binary!(self.asm, size, kind, r a, r b),
                (_, Binary::Test) => sized!(self.asm, size, test, r a, i i),
                _ if short_encodings::register(&mut self.asm, kind, size, a, i) => {}
                _ => binary!(self.asm, size, kind, r a, i i),
            }
            if kind.writes() && a == RDX {
                self.put_second(number, RDX);
            }
            self.set_flags(fate, kind.is_logic());
            self.done.add(own(item, None));
            return;
        }
        let access = match form {
            Form::RM => Access::Load,
            _ if kind.writes() => Access::Modify,
            _ => Access::Load,
        };
        let own = own(item, Some(access));
        self.address(item.op());
        let rejoin = self.reach(item, op, size, access, own, None);
        if kind.uses_carry() {
            self.need_carry();
        }
        let a = if form == Form::RM { self.second(item, number, RCX) } else { 0 };
        let b = if form == Form::MR { self.second(item, item.op().b, RCX) } else { 0 };
        match (form, kind) {
            (Form::MR | Form::RM, Binary::Test) => {
                let register = if form == Form::MR { b } else { a };
                sized!(self.asm, size, test, m, r register);
            }
            (_, Binary::Test) => sized!(self.asm, size, test, m, i i),
            (Form::RM, _) => binary!(self.asm, size, kind, r a, m),
            (Form::MR, _) => binary!(self.asm, size, kind, m, r b),
            _ if short_encodings::memory(&mut self.asm, kind, size, i) => {}
            _ => binary!(self.asm, size, kind, m, i i),
        }
        if form == Form::RM && kind.writes() && a == RCX {
            self.put_second(number, RCX);
        }
        self.set_flags(fate, kind.is_logic());
        self.rejoin(rejoin, own);
    }

    fn unary(&mut self, item: &Item, op: *const Op, kind: Unary, fate: Fate) {
        let (size, memory) = (item.shape().size, item.shape().uses_memory());
        let own = own(item, memory.then_some(Access::Modify));
        let rejoin = memory.then(|| {
            self.address(item.op());
            self.reach(item, op, size, Access::Modify, own, None)
        });
        if matches!(kind, Unary::Inc | Unary::Dec) {
            self.need_carry();
        }
        let a = if memory { 0 } else { self.second(item, item.op().a, RDX) };
        match (kind, memory, size) {
            (Unary::Inc, true, 1) => dynasm!(self.asm ; .arch x64 ; inc BYTE [rdx + rax]),
            (Unary::Inc, true, 2) => dynasm!(self.asm ; .arch x64 ; inc WORD [rdx + rax]),
            (Unary::Inc, true, _) => dynasm!(self.asm ; .arch x64 ; inc DWORD [rdx + rax]),
            (Unary::Dec, true, 1) => dynasm!(self.asm ; .arch x64 ; dec BYTE [rdx + rax]),
            (Unary::Dec, true, 2) => dynasm!(self.asm ; .arch x64 ; dec WORD [rdx + rax]),
            (Unary::Dec, true, _) => dynasm!(self.asm ; .arch x64 ; dec DWORD [rdx + rax]),
            (Unary::Neg, true, 1) => dynasm!(self.asm ; .arch x64 ; neg BYTE [rdx + rax]),
            (Unary::Neg, true, 2) => dynasm!(self.asm ; .arch x64 ; neg WORD [rdx + rax]),
            (Unary::Neg, true, _) => dynasm!(self.asm ; .arch x64 ; neg DWORD [rdx + rax]),
            (Unary::Not, true, 1) => dynasm!(self.asm ; .arch x64 ; not BYTE [rdx + rax]),
            (Unary::Not, true, 2) => dynasm!(self.asm ; .arch x64 ; not WORD [rdx + rax]),
            (Unary::Not, true, _) => dynasm!(self.asm ; .arch x64 ; not DWORD [rdx + rax]),
            (Unary::Inc, _, 1) => dynasm!(self.asm ; .arch x64 ; inc Rb(a)),
            (Unary::Inc, _, 2) => dynasm!(self.asm ; .arch x64 ; inc Rw(a)),
            (Unary::Inc, ..) => dynasm!(self.asm ; .arch x64 ; inc Rd(a)),
            (Unary::Dec, _, 1) => dynasm!(self.asm ; .arch x64 ; dec Rb(a)),
            (Unary::Dec, _, 2) => dynasm!(self.asm ; .arch x64 ; dec Rw(a)),
            (Unary::Dec, ..) => dynasm!(self.asm ; .arch x64 ; dec Rd(a)),
            (Unary::Neg, _, 1) => dynasm!(self.asm ; .arch x64 ; neg Rb(a)),
            (Unary::Neg, _, 2) => dynasm!(self.asm ; .arch x64 ; neg Rw(a)),
            (Unary::Neg, ..) => dynasm!(self.asm ; .arch x64 ; neg Rd(a)),
            (Unary::Not, _, 1) => dynasm!(self.asm ; .arch x64 ; not Rb(a)),
            (Unary::Not, _, 2) => dynasm!(self.asm ; .arch x64 ; not Rw(a)),
            (Unary::Not, ..) => dynasm!(self.asm ; .arch x64 ; not Rd(a)),
        }
        if a == RDX {
            self.put_second(item.op().a, RDX);
        }
        if kind != Unary::Not {
            self.set_flags(fate, false);
        }
        match rejoin {
            Some(rejoin) => self.rejoin(rejoin, own),
            None => self.done.add(own),
        }
    }

    /// Emits IMUL with two or three operands. SF, ZF and PF follow the product, AF is 0.
    fn multiply(&mut self, item: &Item, op: *const Op, fate: Fate) {
        let memory = item.shape().uses_memory();
        let three = item.shape().operands == 3;
        let (a, b, i) = (host(item.op().a), host(item.op().b), item.op().immediate as i32);
        let own = own(item, memory.then_some(Access::Load));
        let rejoin = memory.then(|| {
            self.address(item.op());
            self.reach(item, op, 4, Access::Load, own, None)
        });
        self.wait_for_multiplier(item);
        match (memory, three) {
            (true, true) => dynasm!(self.asm ; .arch x64 ; imul Rd(a), [rdx + rax], DWORD i),
            (true, false) => dynasm!(self.asm ; .arch x64 ; imul Rd(a), [rdx + rax]),
            (false, true) => dynasm!(self.asm ; .arch x64 ; imul Rd(a), Rd(b), DWORD i),
            (false, false) => dynasm!(self.asm ; .arch x64 ; imul Rd(a), Rd(b)),
        }
        self.flags = Flags::Memory;
        if fate == Fate::Live {
            dynasm!(self.asm ; .arch x64
                ; seto cl
                ; test Rd(a), Rd(a)
                ; lahf
                ; or ah, cl
                ; mov al, cl
                ; or eax, NO_AUXILIARY as i32
                ; mov [rbp + offsets::RAW_FLAGS], ax
            );
        }
        match rejoin {
            Some(rejoin) => self.rejoin_in_memory(rejoin, own),
            None => self.done.add(own),
        }
    }

    /// Emits SAHF. OF keeps its value, which is already in the host frame.
    fn ah_to_flags(&mut self, item: &Item) {
        dynasm!(self.asm ; .arch x64
            ; mov eax, Rd(EAX)
            ; and eax, AH_FLAGS
            ; or eax, AH_ALWAYS_ONE
            ; shr eax, 8
            ; mov [rbp + offsets::RAW_FLAGS + 1], al
        );
        self.flags = Flags::Memory;
        self.done.add(own(item, None));
    }

    /// Emits the wait for the x87's multiplier, as `Core::wait_for_multiplier` does. If the wait is
    /// known at translation, it is part of the instruction's clocks instead.
    pub fn wait_for_multiplier(&mut self, item: &Item) {
        if item.x87.0.is_some() {
            return;
        }
        let free = self.label();
        let before = self.done.clocks as i32;
        dynasm!(self.asm ; .arch x64
            ; lea rcx, [rbx + before]
            ; sub rcx, [rbp + offsets::MULTIPLIER]
            ; jae =>free
            ; sub rbx, rcx
            ; =>free
        );
    }

    pub fn rejoin_in_memory(&mut self, label: dynasmrt::DynamicLabel, own: Done) {
        dynasm!(self.asm ; .arch x64 ; =>label);
        self.flags = Flags::Memory;
        self.done.add(own);
    }

    fn widen(&mut self, item: &Item, op: *const Op, signed: bool) {
        let (a, b, from) = (host(item.op().a), host(item.op().b), item.shape().second_size);
        let memory = item.shape().uses_memory();
        let own = own(item, memory.then_some(Access::Load));
        if !memory {
            let second = from == 1 && item.op().b >= 4;
            let b = if second { self.take_second(item.op().b, RCX) } else { b };
            match (signed, from) {
                (false, 1) => dynasm!(self.asm ; .arch x64 ; movzx Rd(a), Rb(b)),
                (false, _) => dynasm!(self.asm ; .arch x64 ; movzx Rd(a), Rw(b)),
                (true, 1) => dynasm!(self.asm ; .arch x64 ; movsx Rd(a), Rb(b)),
                (true, _) => dynasm!(self.asm ; .arch x64 ; movsx Rd(a), Rw(b)),
            }
            self.done.add(own);
            return;
        }
        self.address(item.op());
        let rejoin = self.reach(item, op, from, Access::Load, own, None);
        match (signed, from) {
            (false, 1) => dynasm!(self.asm ; .arch x64 ; movzx Rd(a), BYTE [rdx + rax]),
            (false, _) => dynasm!(self.asm ; .arch x64 ; movzx Rd(a), WORD [rdx + rax]),
            (true, 1) => dynasm!(self.asm ; .arch x64 ; movsx Rd(a), BYTE [rdx + rax]),
            (true, _) => dynasm!(self.asm ; .arch x64 ; movsx Rd(a), WORD [rdx + rax]),
        }
        self.rejoin(rejoin, own);
    }

    fn stack(&mut self, item: &Item, op: *const Op, kind: Kind) {
        let access = if kind == Kind::Push { Access::Store } else { Access::Load };
        let own = own(item, Some(access));
        match kind {
            Kind::Push => dynasm!(self.asm ; .arch x64 ; lea eax, [Rq(ESP) - 4]),
            Kind::Pop => dynasm!(self.asm ; .arch x64 ; mov eax, Rd(ESP)),
            _ => dynasm!(self.asm ; .arch x64 ; mov eax, Rd(EBP)),
        }
        let rejoin = self.reach(item, op, 4, access, own, None);
        let a = host(item.op().a);
        match (Moved::of(item), kind) {
            (Some(moved), _) => self.store_moved(&moved),
            (None, Kind::Pop) => dynasm!(self.asm ; .arch x64
                ; mov ecx, [rdx + rax]
                ; lea Rd(ESP), [Rq(ESP) + 4]
                ; mov Rd(a), ecx
            ),
            _ => dynasm!(self.asm ; .arch x64
                ; mov ecx, [rdx + rax]
                ; lea Rd(ESP), [Rq(EBP) + 4]
                ; mov Rd(EBP), ecx
            ),
        }
        self.rejoin(rejoin, own);
    }

    /// Emits SETcc to memory. The host frame holds the flags, in case the interpreter must do it.
    fn set_memory(&mut self, item: &Item, op: *const Op, condition: u8) {
        let own = own(item, Some(Access::Store));
        self.address(item.op());
        let rejoin = self.reach(item, op, 1, Access::Store, own, None);
        dynasm!(self.asm ; .arch x64 ; lea rdx, [rdx + rax]);
        self.need_flags();
        set_if(self, condition, RCX);
        dynasm!(self.asm ; .arch x64 ; mov [rdx], cl);
        self.flags = Flags::Memory;
        self.rejoin(rejoin, own);
    }

    fn register_only(&mut self, item: &Item, kind: Kind) {
        let (a, b) = (host(item.op().a), host(item.op().b));
        match kind {
            Kind::Lea => {
                self.offset(item.op());
                dynasm!(self.asm ; .arch x64 ; mov Rd(a), eax);
            }
            Kind::Exchange => dynasm!(self.asm ; .arch x64 ; xchg Rd(a), Rd(b)),
            Kind::SwapBytes => dynasm!(self.asm ; .arch x64 ; bswap Rd(a)),
            Kind::SignToEdx => dynasm!(self.asm ; .arch x64
                ; mov eax, Rd(EAX)
                ; cdq
                ; mov Rd(EDX), edx
            ),
            Kind::WordToLong => dynasm!(self.asm ; .arch x64 ; movsx Rd(EAX), Rw(EAX)),
            Kind::Set(condition) => {
                self.need_flags();
                if item.op().a < 4 {
                    set_if(self, condition, a);
                } else {
                    set_if(self, condition, RCX);
                    self.put_second(item.op().a, RCX);
                }
            }
            _ => unreachable!("the others have functions of their own"),
        }
        self.done.add(own(item, None));
    }
}

fn set_if(emitter: &mut Emitter, condition: u8, a: u8) {
    let asm = &mut emitter.asm;
    match condition {
        0 => dynasm!(asm ; .arch x64 ; seto Rb(a)),
        1 => dynasm!(asm ; .arch x64 ; setno Rb(a)),
        2 => dynasm!(asm ; .arch x64 ; setb Rb(a)),
        3 => dynasm!(asm ; .arch x64 ; setae Rb(a)),
        4 => dynasm!(asm ; .arch x64 ; sete Rb(a)),
        5 => dynasm!(asm ; .arch x64 ; setne Rb(a)),
        6 => dynasm!(asm ; .arch x64 ; setbe Rb(a)),
        7 => dynasm!(asm ; .arch x64 ; seta Rb(a)),
        8 => dynasm!(asm ; .arch x64 ; sets Rb(a)),
        9 => dynasm!(asm ; .arch x64 ; setns Rb(a)),
        10 => dynasm!(asm ; .arch x64 ; setp Rb(a)),
        11 => dynasm!(asm ; .arch x64 ; setnp Rb(a)),
        12 => dynasm!(asm ; .arch x64 ; setl Rb(a)),
        13 => dynasm!(asm ; .arch x64 ; setge Rb(a)),
        14 => dynasm!(asm ; .arch x64 ; setle Rb(a)),
        _ => dynasm!(asm ; .arch x64 ; setg Rb(a)),
    }
}
