//! The data TLB evicts an entry for a page walk: the entry's page and the page's lines are no
//! longer known.
//!
//! Registers as in `page_walk.rs`.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use crate::translator::x64::encoding::assembler::Assembler;
use crate::translator::x64::encoding::host_registers::{RCX, RDX};
use crate::translator::x64::encoding::offsets;
use crate::translator::x64::memory::l1d_lookup::{TREE, emit_place};
use crate::translator::x64::stubs::callbacks;
use crate::translator::x64::stubs::enter_leave::{pop_registers, push_registers};

/// Emits the choice of the TLB entry to evict (R15). Removes its page from the known pages, and
/// also the page whose place in that table the new one needs. Clobbers RCX, RDX, RDI and XMM0 to
/// XMM14.
pub(crate) fn emit_victim(asm: &mut Assembler) -> Forgotten {
    let [absent, occupant, vacant, victim] = [(); 4].map(|()| asm.new_dynamic_label());
    dynasm!(asm ; .arch x64
        ; mov rdi, [rbp + offsets::TLB_USES]
        ; mov r15d, [rdi + r10 + TREE]
        ; mov ecx, r15d
        ; shr ecx, 1
        ; and ecx, 1
        ; shr r15d, 2
        ; shr r15d, cl
        ; and r15d, 1
        ; lea r15d, [r15 + rcx * 2]
        ; mov ecx, r10d
        ; shr ecx, 2
        ; add r15d, ecx
        ; cmp BYTE [rbp + r9 + offsets::PAGE_KNOWN], 0
        ; jne =>occupant
        ; =>vacant
        ; mov rcx, [rbp + offsets::TLB_PAGES]
        ; mov ecx, [rcx + r15 * 4]
        ; shl ecx, 12
    );
    emit_place(asm, RCX, RDX);
    dynasm!(asm ; .arch x64
        ; cmp [rbp + rdx + offsets::PAGE_LOADS], ecx
        ; jne =>absent
        ; cmp BYTE [rbp + rdx + offsets::PAGE_KNOWN], 0
        ; jne =>victim
        ; mov DWORD [rbp + rdx + offsets::PAGE_LOADS], -1
        ; mov DWORD [rbp + rdx + offsets::PAGE_STORES], -1
        ; mov DWORD [rbp + rdx + offsets::PAGE_COMBINES], -1
        ; =>absent
    );
    Forgotten { occupant, vacant, victim, absent }
}

/// The labels of the slow part: pages with known lines, which a Rust function must remove.
#[must_use]
pub(crate) struct Forgotten {
    occupant: DynamicLabel,
    vacant: DynamicLabel,
    victim: DynamicLabel,
    absent: DynamicLabel,
}

impl Forgotten {
    pub fn emit(self, asm: &mut Assembler) {
        let Forgotten { occupant, vacant, victim, absent } = self;
        dynasm!(asm ; .arch x64 ; =>occupant ; mov ecx, [rbp + r9 + offsets::PAGE_LOADS]);
        emit_forget(asm);
        dynasm!(asm ; .arch x64 ; jmp =>vacant ; =>victim);
        emit_forget(asm);
        dynasm!(asm ; .arch x64 ; jmp =>absent);
    }
}

/// Emits the removal of the page at linear address ECX from the known pages. Clobbers RCX, RDX, RDI
/// and XMM0 to XMM14.
fn emit_forget(asm: &mut Assembler) {
    let address = callbacks::forget_page as *const () as usize as i64;
    push_registers(asm);
    dynasm!(asm ; .arch x64
        ; sub rsp, 8
        ; push rax
        ; lea rdi, [rbp - offsets::MIDDLE]
        ; mov esi, ecx
        ; mov rax, QWORD address
        ; call rax
        ; pop rax
        ; add rsp, 8
    );
    pop_registers(asm);
}
