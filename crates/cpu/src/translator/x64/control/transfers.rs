//! Host code that records control transfers for an observer, if recording is on, at the cycles at
//! which the interpreter does (`observe/transfers.rs`).

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};

use crate::observe::transfers::{Noted, TransferKind, USER};
use crate::translator::regions::collect::Item;
use crate::translator::x64::encoding::host_registers::ESP;
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::region::emit::Emitter;

/// The value of the guest's stack pointer that the record of a transfer contains: with `Here`, the
/// guest's ESP at this point of the code.
#[derive(Clone, Copy)]
pub(crate) enum Stack {
    Here,
    /// The guest's ESP at this point of the code, minus this many bytes.
    Below(i32),
}

impl Emitter<'_> {
    /// Emits the recording of a transfer, after its clocks have been added. Emits nothing if
    /// transfers are not recorded, or not this direct jump. The target is `to`, or (`None`) in ECX.
    /// Keeps ECX, clobbers RAX, RDX and the host's flags.
    pub fn note_transfer(
        &mut self,
        kind: TransferKind,
        item: &Item,
        to: Option<u32>,
        stack: Stack,
    ) {
        if self.watched.is_none() {
            return;
        }
        let direct_jump = kind == TransferKind::Jump && to.is_some();
        if direct_jump && !self.leads_to_entry(to) {
            return;
        }
        let nobody = self.label();
        let own = item.clocks as i32;
        let user = if self.user { USER } else { 0 };
        let mark = ((kind.bits() | user) >> 32) as i32;
        dynasm!(self.asm ; .arch x64
            ; mov rax, [rbp + offsets::TRANSFERS]
            ; test rax, rax
            ; jz =>nobody
            ; lea rdx, [rbx - own]
            ; mov [rax], rdx
        );
        if mark != 0 {
            // A cycle count never reaches the bits of `mark`.
            dynasm!(self.asm ; .arch x64 ; or DWORD [rax + 4], mark);
        }
        match to {
            Some(to) => dynasm!(self.asm ; .arch x64 ; mov DWORD [rax + 8], to as i32),
            None => dynasm!(self.asm ; .arch x64 ; mov [rax + 8], ecx),
        }
        match stack {
            Stack::Here => dynasm!(self.asm ; .arch x64 ; mov [rax + 12], Rd(ESP)),
            Stack::Below(bytes) => dynasm!(self.asm ; .arch x64
                ; lea edx, [Rq(ESP) - bytes]
                ; mov [rax + 12], edx
            ),
        }
        dynasm!(self.asm ; .arch x64
            ; add rax, size_of::<Noted>() as i32
            ; mov [rbp + offsets::TRANSFERS], rax
            ; =>nobody
        );
    }

    /// True if a direct jump to `to` must be recorded.
    pub fn leads_to_entry(&self, to: Option<u32>) -> bool {
        to.zip(self.watched.as_ref()).is_some_and(|(to, entries)| entries.contains(&to))
    }
}
