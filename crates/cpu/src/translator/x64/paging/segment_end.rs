//! Segments that begin at 0 and end below 4 GB: checks of addresses and of branches' targets.
//!
//! A region is translated for one end of the segments (`Carried`), so the end is a constant here.
//! Regions for flat segments have no checks. Whatever may lie behind the end is left to the
//! interpreter, which knows each segment's own limit. Direct branches are compared with the end
//! when they are translated (`regions/collect.rs`).

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use crate::translator::regions::collect::Item;
use crate::translator::x64::region::emit::Emitter;
use crate::translator::x64::region::slow_path::{Cold, Out};
use crate::translator::x64::stubs::enter_leave::INTERPRET;
use crate::translator_frame::packed_counts::Packed;

/// The size of the largest operand, an x87 number in extended precision, rounded up.
const MOST_BYTES: u32 = 16;

impl Emitter<'_> {
    /// Emits a jump to `interpreter`, taken if the operand whose linear address is in EAX may reach
    /// behind the end of the segments. Changes flags.
    pub fn check_address(&mut self, interpreter: DynamicLabel) {
        let Some(end) = self.segments_end else { return };
        let most = end.saturating_sub(MOST_BYTES);
        dynasm!(self.asm ; .arch x64 ; cmp eax, most as i32 ; ja =>interpreter);
    }

    /// Emits an exit to the interpreter before a branch, taken if its target, which is in the host
    /// register `register`, lies behind the end of the segments. Changes flags.
    pub fn check_target(&mut self, item: &Item, register: u8) {
        let Some(end) = self.segments_end else { return };
        self.settle();
        let label = self.label();
        let (eip, carried, counts) = (Some(item.eip), item.before, Packed::default());
        self.cold.push(Cold::Out(Out { label, eip, carried, counts, how: INTERPRET }));
        dynasm!(self.asm ; .arch x64 ; cmp Rd(register), end as i32 ; ja =>label);
    }

    /// Emits a jump to the step of the interpreter, taken if the target in ECX, which the branch
    /// has just loaded, lies behind the end of the segments. Changes flags.
    pub fn check_loaded_target(&mut self) {
        let Some(end) = self.segments_end else { return };
        let interpreter = self.interpreter;
        dynasm!(self.asm ; .arch x64 ; cmp ecx, end as i32 ; ja =>interpreter);
    }
}
