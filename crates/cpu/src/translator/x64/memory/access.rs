//! Inline loads and stores: the fastest path. If the table of open lines (`quick.rs` of the cache)
//! has an entry for the line, the access changes only the bytes: no recency, no TLB entry.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::l1d_lookup::{OPEN_LOADS, OPEN_STORES, ORIGIN, SET_SHIFT};
use super::slow_access::{Asked, ColdAccess, Late, Stored};
use crate::execute::isa::x87::is_x87;
use crate::execute::op::Op;
use crate::registers::register_file::sreg;
use crate::state::core_state::ZERO;
use crate::timing::pipeline::clocks;
use crate::translator::access::fast_access::Access;
use crate::translator::regions::collect::Item;
use crate::translator::regions::x87_roles::X87Role;
use crate::translator::x64::encoding::{offsets, short_encodings};
use crate::translator::x64::host;
use crate::translator::x64::integer::flags::{Flags, reads_flags, sets_flags};
use crate::translator::x64::integer::mov_push::{Moved, is_moved};
use crate::translator::x64::region::coverage;
use crate::translator::x64::region::emit::{Done, Emitter};
use crate::translator::x64::region::slow_path::{CarriedNumbers, Cold, Resolve};
use crate::translator::x64::x87::misaligned::EXTENDED;

/// The mask of an address's page number, and of the low bits that are clear in an aligned address.
fn mask(size: usize) -> i32 {
    let natural = if size == EXTENDED { 8 } else { size as i32 };
    0xFFFF_F000u32 as i32 | (natural - 1)
}

/// True if L2 may serve the access in the slow path: x87 instructions in progress permit it.
fn refills(item: &Item, access: Access) -> bool {
    let pending = item.meets_pending();
    let in_place = item.x87_role == X87Role::InPlace;
    let stores = access == Access::Store && !in_place && !is_moved(item);
    !(pending && (stores || item.checks_bank))
}

/// True if the penalty of a misaligned operand may be charged at once: no later clock depends on
/// it, and the interpreter does not charge it again for a second access of the instruction.
fn may_be_misaligned(item: &Item) -> bool {
    let calls = item.decoding.ends_block && item.shape().uses_memory();
    !(is_x87(item.shape().code) || item.meets_pending() || calls || coverage::may_be_repeated(item))
}

/// True if the memory operand is in DS, SS or ES, which are flat in translated code.
pub(crate) fn is_flat(op: &Op) -> bool {
    [sreg::DS, sreg::SS, sreg::ES].contains(&usize::from(op.segment))
}

/// True if translated code can address the memory operand of an integer instruction.
pub(crate) fn is_addressable(op: &Op) -> bool {
    let segment = usize::from(op.segment);
    op.address_mask == u32::MAX && (is_flat(op) || [sreg::FS, sreg::GS].contains(&segment))
}

/// True if translated code can address the memory operand of a non-integer instruction.
pub(crate) fn is_plain(op: &Op) -> bool {
    is_addressable(op) && is_flat(op)
}

impl Emitter<'_> {
    /// Emits the load of EAX with the operand's linear address; keeps flags in a flat segment.
    pub fn address(&mut self, op: &Op) {
        self.offset(op);
        if !is_flat(op) {
            dynasm!(self.asm ; .arch x64 ; add eax, [rbp + offsets::base(op.segment)]);
        }
    }

    /// Emits the load of EAX with the offset of the memory operand.
    pub fn offset(&mut self, op: &Op) {
        let displacement = op.displacement as i32;
        let some = |number: u8| (usize::from(number) != ZERO).then(|| host(number));
        match (some(op.base), some(op.index)) {
            (None, None) => dynasm!(self.asm ; .arch x64 ; mov eax, displacement),
            (Some(b), None) if displacement == 0 => {
                dynasm!(self.asm ; .arch x64 ; mov eax, Rd(b))
            }
            (None, Some(i)) if op.scale == 0 => {
                short_encodings::address(&mut self.asm, Some(i), None, displacement);
            }
            (base, index) => {
                let index = index.map(|index| (index, op.scale));
                short_encodings::address(&mut self.asm, base, index, displacement);
            }
        }
    }

    /// Emits the search for the memory operand whose linear address is in EAX. Afterwards the
    /// operand is at RDX + RAX. Clobbers RCX, RDI, XMM0 to XMM14 and flags. Returns the label for
    /// after the interpreter has done the instruction. `own`: the instruction's clocks and counts;
    /// `branch`: for a branch, what its prediction needs.
    pub fn reach(
        &mut self,
        item: &Item,
        op: *const Op,
        size: usize,
        access: Access,
        own: Done,
        branch: Option<Resolve>,
    ) -> DynamicLabel {
        if coverage::is_locked(item) {
            return self.reach_locked(item, op, size, own);
        }
        let [label, reached, rejoin, other_control, interpreter] = [(); 5].map(|()| self.label());
        self.cold.push(Cold::Access(Box::new(ColdAccess {
            label,
            interpreter,
            asked: None,
            other_control,
            precisions: item.precisions,
            reach: Some((access, size, reached)),
            rejoin: branch.is_none().then_some(rejoin),
            branch,
            eip: item.eip,
            op,
            code: item.decoding.instruction.code(),
            before: self.done,
            own,
            waits: item.waits,
            carried: CarriedNumbers::of(item),
            x87: item.x87.0.is_some(),
            late: self.late(item, access),
            meets_pending: item.meets_pending(),
            refills: refills(item, access),
            load_after: self.carries.get(item.after).x87.filter(|x87| x87.loaded),
            unload: self.unloading(item),
            posts: self.posted(item, size).filter(|_| access == Access::Store && branch.is_none()),
            sends: self.sent(item, access, size).filter(|_| branch.is_none()),
            skewed: self.skewed(item),
            may_be_misaligned: may_be_misaligned(item),
            fetches: access == Access::Load && self.may_wait_here(item),
            end: item.end(),
            uses_flags: reads_flags(item) || sets_flags(item),
            sets_flags: sets_flags(item),
        })));
        if item.shape().uses_memory() && !is_flat(item.op()) {
            let open = offsets::open(item.op().segment, access != Access::Load);
            dynasm!(self.asm ; .arch x64 ; cmp BYTE [rbp + open], 0 ; je =>interpreter);
        }
        self.interpreter = interpreter;
        self.check_address(interpreter);
        let pages = if access == Access::Load { OPEN_LOADS } else { OPEN_STORES };
        self.place_in_l1d(size);
        dynasm!(self.asm ; .arch x64
            ; cmp edx, [BYTE rsi + rcx + offsets::near(pages)]
            ; jne =>label
            ; mov rdx, [BYTE rsi + rcx + offsets::near(ORIGIN)]
            ; =>reached
        );
        self.flags = Flags::Memory;
        if item.notes_bank || item.checks_bank {
            self.bank(item, interpreter);
        }
        rejoin
    }

    /// Emits the load of ECX with L1D's set for the address in EAX, times `SET_BYTES`, and of EDX
    /// with the page, combined with the low bits of a misaligned address. Changes flags.
    pub fn place_in_l1d(&mut self, size: usize) {
        dynasm!(self.asm ; .arch x64
            ; mov ecx, eax
            ; shr ecx, SET_SHIFT
            ; and ecx, self.set_mask
            ; mov edx, eax
            ; and edx, mask(size)
        );
        if size == EXTENDED {
            self.mark_line_end();
        }
    }

    /// Emits, in the slow path with the linear address in EAX: L1D and L2 do the access, which goes
    /// on at `reached`; if they cannot, execution falls through. Returns, if an x87 instruction may
    /// be in progress, labels for one access to L2 and for two; otherwise `None`.
    pub fn refill(
        &mut self,
        access: &ColdAccess,
        kind: Access,
        size: usize,
        reached: DynamicLabel,
    ) -> Option<[DynamicLabel; 2]> {
        let Some(late) = &access.late else {
            let asked = self.ask_for_place(access, kind, size, reached);
            self.after_reach(access, size, reached, asked);
            return None;
        };
        let (once, twice, interpreter) = (self.label(), self.label(), self.label());
        let one = self.l2_cycles;
        dynasm!(self.asm ; .arch x64
            ; mov [rbp + offsets::CLOCK_BEFORE], rbx
            ; mov DWORD [rbp + offsets::HOW], access.how(size)
        );
        self.asm.call(self.stubs.reach[kind as usize]);
        dynasm!(self.asm ; .arch x64
            ; jz =>interpreter
            ; mov rcx, rbx
            ; sub rcx, [rbp + offsets::CLOCK_BEFORE]
            ; jz =>reached
        );
        if late.settles {
            // One access and two have equal continuations here.
            dynasm!(self.asm ; .arch x64 ; =>twice);
            self.late_exit(access, late, 0, once);
        } else {
            dynasm!(self.asm ; .arch x64 ; cmp ecx, one ; jne =>twice);
            self.late_exit(access, late, 0, once);
            self.late_exit(access, late, 1, twice);
        }
        dynasm!(self.asm ; .arch x64 ; =>interpreter);
        Some([once, twice])
    }

    /// Emits the call of an access's stub; goes on at `reached`, or at `unknown` without the bytes.
    pub fn ask_for_place(
        &mut self,
        access: &ColdAccess,
        kind: Access,
        size: usize,
        reached: DynamicLabel,
    ) -> Asked {
        let asked = Asked { again: self.label(), unknown: self.label() };
        let Asked { again, unknown } = asked;
        dynasm!(self.asm ; .arch x64
            ; =>again
            ; mov DWORD [BYTE rbp + offsets::near(offsets::HOW)], access.how(size)
        );
        self.asm.call(self.stubs.reach[kind as usize]);
        dynasm!(self.asm ; .arch x64
            ; jnz =>reached
            ; jmp =>unknown
        );
        asked
    }

    /// Emits the code after the stub has not found a line, which may have been requested.
    pub fn after_reach(
        &mut self,
        access: &ColdAccess,
        size: usize,
        reached: DynamicLabel,
        Asked { again, unknown }: Asked,
    ) {
        dynasm!(self.asm ; .arch x64 ; =>unknown);
        if access.stops() {
            self.wait_for_line(access, size, reached, again);
        }
    }

    /// Emits the call of the stub for accesses that take no clocks; goes on at `reached`, or here.
    pub fn reach_at_once(&mut self, kind: Access, size: usize, reached: DynamicLabel) {
        let stub = self.stubs.at_once[usize::from(kind != Access::Load)];
        let how = ((size - 1) << 16) as i32;
        dynasm!(self.asm ; .arch x64 ; mov DWORD [rbp + offsets::HOW], how);
        self.asm.call(stub);
        dynasm!(self.asm ; .arch x64 ; jnz =>reached);
    }

    /// How to continue after an access in which x87 instructions advance; `None`: not needed.
    fn late(&self, item: &Item, access: Access) -> Option<Late> {
        if !refills(item, access) || item.outlasts_all() {
            return None;
        }
        let carried = item.late.filter(|_| item.meets_pending())?;
        let precision = item.x87.0?.precision;
        let stores = match item.stores_from_x87() {
            true => Some(Stored::X87(*item.op(), precision)),
            false => Moved::of(item).map(Stored::Moved),
        };
        Some(Late {
            eip: if stores.is_some() { item.end() } else { item.eip },
            carried,
            stores,
            notes_bank: item.notes_bank,
            recorded: self.recorded,
            settles: access == Access::Load && self.has_settled(carried[0]),
        })
    }

    /// Emits the continuation in another block ([`Late`]) after `services` + 1 accesses to L2.
    fn late_exit(
        &mut self,
        access: &ColdAccess,
        late: &Late,
        services: usize,
        label: DynamicLabel,
    ) {
        dynasm!(self.asm ; .arch x64 ; =>label);
        self.recorded = late.recorded;
        let mut done = access.before;
        if let Some(stored) = &late.stores {
            if late.notes_bank {
                self.bank_of_address();
                self.note_bank();
            }
            match stored {
                Stored::X87(op, precision) => self.float_at(op, access.eip, *precision),
                Stored::Moved(moved) => self.store_moved(moved),
            }
            done.add(access.own);
        }
        self.note_x87();
        dynasm!(self.asm ; .arch x64 ; lea rbx, [rbx + done.clocks as i32]);
        self.add_counts(done.counts.packed());
        self.exit_to(late.eip, late.carried[services]);
    }

    /// Makes two labels: to jump to if the interpreter must do the instruction, and to continue at
    /// afterwards. `own`: the instruction's clocks and counts.
    pub fn odd(&mut self, item: &Item, op: *const Op, own: Done) -> (DynamicLabel, DynamicLabel) {
        let (label, rejoin) = (self.label(), self.label());
        self.cold.push(Cold::Access(Box::new(ColdAccess {
            label,
            interpreter: label,
            asked: None,
            other_control: label,
            precisions: None,
            code: item.decoding.instruction.code(),
            reach: None,
            rejoin: Some(rejoin),
            branch: None,
            eip: item.eip,
            op,
            before: self.done,
            own,
            waits: 0,
            carried: CarriedNumbers::of(item),
            x87: item.x87.0.is_some(),
            late: None,
            meets_pending: item.meets_pending(),
            refills: false,
            load_after: self.carries.get(item.after).x87.filter(|x87| x87.loaded),
            unload: self.unloading(item),
            posts: None,
            sends: None,
            skewed: None,
            may_be_misaligned: false,
            fetches: false,
            end: item.end(),
            uses_flags: reads_flags(item) || sets_flags(item),
            sets_flags: sets_flags(item),
        })));
        (label, rejoin)
    }

    /// Emits the record of the access's bank (in U), or (in V) the check for a conflict, which
    /// costs a clock or, with the x87 in progress, jumps to `interpreter`. Clobbers ECX.
    fn bank(&mut self, item: &Item, interpreter: DynamicLabel) {
        self.bank_of_address();
        if item.checks_bank && item.meets_pending() {
            // The code that waits for the x87 has no version for one more clock, so the interpreter
            // must do this case.
            dynasm!(self.asm ; .arch x64
                ; cmp cl, [rbp + offsets::BANK]
                ; je =>interpreter
                ; inc QWORD [rbp + offsets::PAIRED_ACCESSES]
            );
        } else if item.checks_bank {
            self.check_bank();
        } else {
            self.note_bank();
        }
    }

    /// Emits the load of CL with the bank of L1D (bits 4 to 2) of the address in EAX.
    pub fn bank_of_address(&mut self) {
        dynasm!(self.asm ; .arch x64 ; mov ecx, eax ; shr ecx, 2 ; and ecx, 7);
    }

    pub fn note_bank(&mut self) {
        dynasm!(self.asm ; .arch x64 ; mov [rbp + offsets::BANK], cl);
    }

    pub fn check_bank(&mut self) {
        let different = self.label();
        dynasm!(self.asm ; .arch x64
            ; inc QWORD [rbp + offsets::PAIRED_ACCESSES]
            ; cmp cl, [rbp + offsets::BANK]
            ; jne =>different
            ; inc QWORD [rbp + offsets::BANK_CONFLICTS]
            ; lea rbx, [rbx + i32::from(clocks::BANK_CONFLICT)]
            ; =>different
        );
    }

    /// Ends an instruction whose memory operand has been found.
    pub fn rejoin(&mut self, label: DynamicLabel, own: Done) {
        dynasm!(self.asm ; .arch x64 ; =>label);
        self.done.add(own);
    }
}
