//! Conditional branches at the end of a block.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::block_end::branch;
use crate::observe::transfers::TransferKind;
use crate::translator::regions::block_end::Condition;
use crate::translator::regions::collect::Item;
use crate::translator::x64::control::transfers::Stack;
use crate::translator::x64::encoding::host_registers::ECX;
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::region::emit::{Done, Emitter};

/// The bit of ZF in the second byte of `HostFrame::raw_flags`.
const RAW_ZF: i8 = 1 << 6;

/// Emits a host jump to a label for the condition with a given number (0 to 15).
macro_rules! jump_if {
    ($asm:expr, $condition:expr, $label:expr) => {{
        let label = $label;
        match $condition {
            0 => dynasm!($asm ; .arch x64 ; jo =>label),
            1 => dynasm!($asm ; .arch x64 ; jno =>label),
            2 => dynasm!($asm ; .arch x64 ; jb =>label),
            3 => dynasm!($asm ; .arch x64 ; jae =>label),
            4 => dynasm!($asm ; .arch x64 ; je =>label),
            5 => dynasm!($asm ; .arch x64 ; jne =>label),
            6 => dynasm!($asm ; .arch x64 ; jbe =>label),
            7 => dynasm!($asm ; .arch x64 ; ja =>label),
            8 => dynasm!($asm ; .arch x64 ; js =>label),
            9 => dynasm!($asm ; .arch x64 ; jns =>label),
            10 => dynasm!($asm ; .arch x64 ; jp =>label),
            11 => dynasm!($asm ; .arch x64 ; jnp =>label),
            12 => dynasm!($asm ; .arch x64 ; jl =>label),
            13 => dynasm!($asm ; .arch x64 ; jge =>label),
            14 => dynasm!($asm ; .arch x64 ; jle =>label),
            _ => dynasm!($asm ; .arch x64 ; jg =>label),
        }
    }};
}

/// A taken branch whose code stands apart: the block that it ends, and what no code has added to the
/// counts there.
pub(crate) struct Taken {
    label: DynamicLabel,
    done: Done,
    block: usize,
    target: u32,
}

/// A conditional branch: its condition, and where execution continues if it is taken or not.
#[derive(Clone, Copy)]
pub(crate) struct Conditional {
    pub condition: Condition,
    pub taken: u32,
    pub next: u32,
}

impl Emitter<'_> {
    /// Emits a conditional branch. The code for a branch that is not taken runs on into the
    /// following block; that for a taken one stands before it if the branch leads backwards, as most
    /// of a loop do, else behind the region's blocks.
    pub fn conditional(&mut self, item: &Item, branch: Conditional, following: usize) {
        let (done, label) = (self.done, self.label());
        let repeats = branch.taken <= item.eip;
        match branch.condition.opposite().filter(|_| repeats) {
            Some(opposite) => {
                self.jump_on(opposite, label);
                self.leave_branch(item, branch.taken, true, usize::MAX);
                dynasm!(self.asm ; .arch x64 ; =>label);
                self.done = done;
            }
            None => {
                self.jump_on(branch.condition, label);
                self.taken.push(Taken { label, done, block: following - 1, target: branch.taken });
            }
        }
        self.leave_branch(item, branch.next, false, following);
    }

    /// Emits what follows a conditional branch that is taken and does not lead backwards.
    pub fn taken(&mut self, taken: &Taken) {
        let label = taken.label;
        let last = self.region.blocks[taken.block].last.as_ref();
        dynasm!(self.asm ; .arch x64 ; =>label);
        self.done = taken.done;
        self.leave_branch(last.expect("a branch"), taken.target, true, usize::MAX);
    }

    /// Emits what follows a conditional branch that is taken or not.
    fn leave_branch(&mut self, item: &Item, target: u32, taken: bool, following: usize) {
        self.done.add(branch(item, taken));
        self.settle();
        if taken {
            self.note_transfer(TransferKind::Jump, item, Some(target), Stack::Here);
        }
        let resolve = self.resolve(item, taken, Some(target));
        self.look_up(resolve);
        self.go_to(target, item.after, following);
    }

    fn jump_on(&mut self, condition: Condition, label: DynamicLabel) {
        let equal = match condition {
            Condition::Flags(number) => {
                self.need_flags();
                jump_if!(self.asm, number, label);
                return;
            }
            Condition::NoCount => {
                dynasm!(self.asm ; .arch x64 ; test Rd(ECX), Rd(ECX) ; jz =>label);
                return;
            }
            Condition::Count(None) => {
                dynasm!(self.asm ; .arch x64 ; dec Rd(ECX) ; jnz =>label);
                return;
            }
            Condition::Count(Some(equal)) => equal,
        };
        let over = self.label();
        dynasm!(self.asm ; .arch x64
            ; dec Rd(ECX)
            ; jz =>over
            ; test BYTE [BYTE rbp + offsets::near(offsets::RAW_FLAGS + 1)], RAW_ZF
        );
        match equal {
            true => dynasm!(self.asm ; .arch x64 ; jnz =>label),
            false => dynasm!(self.asm ; .arch x64 ; jz =>label),
        }
        dynasm!(self.asm ; .arch x64 ; =>over);
    }
}
