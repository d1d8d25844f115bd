//! A page walk that misses L1D: the line of the page tables comes from L2, as
//! `../memory/l1d_fill.rs` fetches a line of data. If L2 misses too, the walk is not done here.
//!
//! Registers as in `page_walk.rs`; ECX is the set of L1D, XMM0 holds four times the value that the
//! line's tag must equal.
//!
//! Accesses all over 48 MB take 1.02 times the host's instructions without this path (2026-11-29).

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use crate::translator::x64::encoding::offsets;
use crate::translator::x64::memory::l1d_fill::{USABLE, emit_take};
use crate::translator::x64::memory::l1d_lookup::{OPEN_PAGES, TAGS, Ways};
use crate::translator::x64::memory::l2_lookup::emit_search_all;
use crate::translator::x64::stubs::enter_leave::Assembler;

/// Emits a routine at the label `refill`, which returns with the zero flag clear, and the clocks
/// added, if L1D now has the line. Clobbers RDX, RDI and XMM1 to XMM6.
pub(crate) fn emit(asm: &mut Assembler, ways: &Ways, refill: DynamicLabel) {
    let fails = asm.new_dynamic_label();
    let inner = Ways { unknown: fails, ..*ways };
    dynasm!(asm ; .arch x64
        ; =>refill
        ; push r9
        ; push r10
        ; push r11
        ; mov rdx, [rbp + offsets::AROUND]
        ; cmp DWORD [rdx + USABLE], 0
        ; je =>fails
        // All four lines of the set must be valid.
        ; mov rdi, [rsi + TAGS]
        ; movdqu xmm1, [rdi + rcx]
        ; pslld xmm1, 31
        ; movmskps edi, xmm1
        ; cmp edi, 15
        ; jne =>fails
        ; movd r11d, xmm0
    );
    emit_search_all(asm, ways, fails);
    let taken = emit_take(asm, ways);
    dynasm!(asm ; .arch x64
        ; mov QWORD [rsi + rcx + OPEN_PAGES], -1
        ; mov QWORD [rdx + rcx + OPEN_PAGES], -1
        ; inc QWORD [rbp + offsets::REFILLS]
        ; inc QWORD [rbp + offsets::WALK_MISSES]
        ; add rbx, [rbp + offsets::L2_CYCLES]
        ; pop r11
        ; pop r10
        ; pop r9
        ; test rsp, rsp
        ; ret
        ; =>fails
        ; pop r11
        ; pop r10
        ; pop r9
        ; xor edx, edx
        ; ret
    );
    taken.emit(asm, &inner);
}
