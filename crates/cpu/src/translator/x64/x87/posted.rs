//! x87 stores that no cache takes, which are posted from here as integer stores are sent; and x87
//! stores that L2 takes after an earlier store to their line.
//!
//! If no x87 instruction is in progress after a store, it waits at its own place in the code. For
//! other stores the passing of time must be accounted for: a store that the bus unit takes at once
//! takes no longer than one that L1D has. If the bus unit, or L2 with the line, is busy until no
//! x87 instruction is in progress any more, the store is tried again in a block of its own;
//! otherwise the interpreter does it.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use super::ops::Recorded;
use crate::execute::isa::x87::form_of;
use crate::translator::regions::collect::Item;
use crate::translator::regions::x87_roles::Posts;
use crate::translator::regions::x87_state::pops;
use crate::translator::x64::encoding::assembler::Assembler;
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::memory::same_line::{BUSY_ABOVE, STORE_DONE, STORE_WAITS};
use crate::translator::x64::memory::slow_access::ColdAccess;
use crate::translator::x64::region::emit::Emitter;
use crate::translator::x64::stubs::callbacks::{self, POSTED, WAITS_IN_PLACE};
use crate::translator::x64::stubs::enter_leave::{pop_registers, push_registers};
use crate::translator_frame::host_frame::BEYOND;

const NO_CACHE: i32 = (BEYOND >> 32) as i32;

/// An x87 store of the top of the stack that may be posted to the bus.
pub(crate) struct Posted {
    size: usize,
    posts: Posts,
    pops: u8,
    records: bool,
    recorded: Option<Recorded>,
}

impl Emitter<'_> {
    /// The store to post for an instruction if no cache takes it; `None` if the interpreter must do
    /// it.
    pub fn posted(&self, item: &Item, size: usize) -> Option<Posted> {
        let posts = item.posts?;
        let form = form_of(item.op());
        (size == usize::from(form.write_bytes)).then(|| Posted {
            size,
            posts,
            pops: pops(form.op),
            records: form.records,
            recorded: self.recorded,
        })
    }

    /// Emits the clearing of the record of a refused store, before the stub for stores is called.
    pub fn forget_beyond(&mut self) {
        dynasm!(self.asm ; .arch x64 ; mov QWORD [rbp + offsets::BEYOND], 0);
    }

    /// Emits the posting of the store, for the case that the stub has found that no cache takes it,
    /// or that L2 is busy with its line. In other cases, EAX keeps its value.
    pub fn post_x87(&mut self, access: &ColdAccess, posted: &Posted) {
        let [interpreter, refused, waited, busy] = [(); 4].map(|()| self.label());
        let rejoin = access.rejoin.expect("it is no branch");
        let clocks = (access.before.clocks + access.waits) as i32;
        let waits = match posted.posts {
            Posts::Here => WAITS_IN_PLACE as i32,
            Posts::Elsewhere { least, .. } => (least as i32) << 8,
        };
        let how = posted.size as i32 | waits;
        dynasm!(self.asm ; .arch x64 ; mov rdx, [rbp + offsets::BEYOND] ; shr rdx, 32);
        if let Posts::Elsewhere { .. } = posted.posts {
            dynasm!(self.asm ; .arch x64 ; cmp edx, BUSY_ABOVE ; je =>busy);
        }
        dynasm!(self.asm ; .arch x64
            ; cmp edx, NO_CACHE
            ; jne =>interpreter
            ; fnstenv [rbp + offsets::X87_IMAGE]
        );
        match posted.size {
            4 => dynasm!(self.asm ; .arch x64 ; fst DWORD [rbp + offsets::SPLIT_OPERAND]),
            _ => dynasm!(self.asm ; .arch x64 ; fst QWORD [rbp + offsets::SPLIT_OPERAND]),
        }
        dynasm!(self.asm ; .arch x64
            ; lea rbx, [rbx + clocks]
            ; mov ecx, how
        );
        self.asm.call(self.stubs.post);
        dynasm!(self.asm ; .arch x64 ; jz =>refused);
        if let Posts::Elsewhere { .. } = posted.posts {
            dynasm!(self.asm ; .arch x64 ; cmp ecx, POSTED ; jne =>waited);
        }
        dynasm!(self.asm ; .arch x64 ; lea rbx, [rbx - clocks]);
        for _ in 0..posted.pops {
            dynasm!(self.asm ; .arch x64 ; fincstp);
        }
        if posted.records {
            dynasm!(self.asm ; .arch x64 ; mov [rbp + offsets::X87_OPERAND_OFFSET], eax);
        }
        // The store is still to be done, so its exception flags must not be visible.
        dynasm!(self.asm ; .arch x64 ; jmp =>rejoin);
        if let Posts::Elsewhere { least, retry } = posted.posts {
            self.retry_post(access, posted.recorded, least, retry, [busy, waited, interpreter]);
        }
        dynasm!(self.asm ; .arch x64
            ; =>refused
            ; fldenv [rbp + offsets::X87_IMAGE]
            ; lea rbx, [rbx - clocks]
            ; =>interpreter
        );
    }

    /// Emits the exit to a second attempt of a store, in a block of its own for the state `retry`.
    /// `busy`: the label for a store to a line with which L2 is busy: the core waits there, if for
    /// `least` clocks or more and no longer than one access to L2 takes; otherwise the code jumps
    /// to `interpreter`. `waited`: the label after the core has waited for the bus unit.
    fn retry_post(
        &mut self,
        access: &ColdAccess,
        recorded: Option<Recorded>,
        least: u64,
        retry: u32,
        [busy, waited, interpreter]: [DynamicLabel; 3],
    ) {
        let clocks = (access.before.clocks + access.waits) as i32;
        let again = self.label();
        dynasm!(self.asm ; .arch x64
            ; =>busy
            ; mov DWORD [rbp + offsets::BEYOND + 4], 0
            ; mov rdx, [rbp + STORE_DONE]
            ; sub rdx, rbx
            ; sub rdx, clocks
            ; cmp rdx, least as i32
            ; jl =>interpreter
            ; cmp rdx, [rbp + offsets::L2_CYCLES]
            ; jg =>interpreter
            ; add [rbp + STORE_WAITS], rdx
            ; lea rbx, [rbx + rdx + clocks]
            ; jmp =>again
            ; =>waited
            ; fldenv [rbp + offsets::X87_IMAGE]
            ; =>again
        );
        self.recorded = recorded;
        self.note_x87();
        self.add_counts(access.before.counts.packed());
        self.exit_to(access.eip, retry);
    }
}

/// Emits `Stubs::post`.
pub(crate) fn emit(asm: &mut Assembler) {
    let address = callbacks::post_x87 as *const () as usize as i64;
    dynasm!(asm ; .arch x64
        ; mov [rbp + offsets::CYCLES], rbx
        ; mov [rbp + offsets::CLOCK_BEFORE], rax
    );
    push_registers(asm);
    dynasm!(asm ; .arch x64
        ; lea rdi, [rbp - offsets::MIDDLE]
        ; mov esi, ecx
        ; mov rax, QWORD address
        ; call rax
    );
    pop_registers(asm);
    dynasm!(asm ; .arch x64
        ; mov rbx, [rbp + offsets::CYCLES]
        ; mov ecx, eax
        ; mov rax, [rbp + offsets::CLOCK_BEFORE]
        ; test ecx, ecx
        ; ret
    );
}
