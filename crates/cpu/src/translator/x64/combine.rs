//! A store into the write-combine buffer beside the bytes that wait there, or into an empty one:
//! the same steps as `in_place.rs` of the caches, for a page of which that has taken a store
//! before.
//!
//! Nothing goes out for it, and neither first-level cache has the line.

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use rockcreek_cache::VALID;

use super::lookup::TAGS;
use super::stubs::{Assembler, at};
use crate::translator::frame::COMBINES;

/// In the stub for stores, where no line was found. EAX: the linear address, ECX: `HostFrame::how`.
/// Returns with the place in RDX + RAX and the zero flag clear, or goes on with both as they were.
pub(super) fn emit(asm: &mut Assembler, compared: DynamicLabel) {
    let (there, other) = (asm.new_dynamic_label(), asm.new_dynamic_label());
    dynasm!(asm ; .arch x64
        ; mov edx, eax
        ; and edx, 0xFFFF_F000u32 as i32
        ; or edx, COMBINES as i32
        ; cmp edx, [rbp + at::COMBINED_PAGE]
        ; jne =>other
        ; shr edx, 12
        ; mov ecx, edx
        ; and ecx, [rbp + at::TLB_MASK]
        ; mov rsi, [rbp + at::RECENT_DATA]
        ; cmp [rsi + rcx * 4], edx
        ; jne =>other
        ; mov edx, eax
        ; and edx, 0xFE0
        ; or edx, [rbp + at::COMBINED_FRAME]
        ; cmp edx, [rbp + at::BUFFER_LINE]
        ; je =>there
        ; cmp DWORD [rbp + at::BUFFER_ENABLE], 0
        ; jne =>other
        ; =>there
    );
    emit_absent(asm, compared, other);
    dynasm!(asm ; .arch x64
        ; movzx ecx, WORD [rbp + at::HOW + 2]
        ; test eax, ecx
        ; jnz =>other
        ; mov esi, 2
        ; shl esi, cl
        ; dec esi
        ; mov ecx, eax
        ; shl esi, cl
        ; or esi, [rbp + at::BUFFER_ENABLE]
        ; cmp esi, -1
        ; je =>other
        ; mov [rbp + at::BUFFER_LINE], edx
        ; mov [rbp + at::BUFFER_ENABLE], esi
        ; inc QWORD [rbp + at::WRITE_MISSES]
        ; and ecx, -32
        ; lea rdx, [rbp + at::BUFFER_BYTES]
        ; sub rdx, rcx
        ; mov rsi, [rbp + at::QUICK]
        ; test rdx, rdx
        ; ret
        ; =>other
        ; mov rsi, [rbp + at::QUICK]
        ; mov ecx, [rbp + at::HOW]
    );
}

/// To `there` if L1D or L1I has the line at EDX. RCX and RSI go.
fn emit_absent(asm: &mut Assembler, compared: DynamicLabel, there: DynamicLabel) {
    dynasm!(asm ; .arch x64
        ; mov rsi, [rbp + at::QUICK]
        ; mov rsi, [rsi + TAGS]
        ; lea ecx, [rdx + VALID as i32]
        ; movd xmm0, ecx
        ; pshufd xmm0, xmm0, 0
        ; mov ecx, edx
        ; shr ecx, 5
        ; and ecx, [rbp + at::SET_MASK]
        ; shl ecx, 4
        ; movdqu xmm1, [rsi + rcx]
        ; mov ecx, edx
        ; shr ecx, 5
        ; and ecx, [rbp + at::CODE_SETS]
        ; shl ecx, 4
        ; mov rsi, [rbp + at::CODE_TAGS]
        ; movdqu xmm2, [rsi + rcx]
        ; pand xmm1, [=>compared]
        ; pand xmm2, [=>compared]
        ; pcmpeqd xmm1, xmm0
        ; pcmpeqd xmm2, xmm0
        ; por xmm1, xmm2
        ; movmskps ecx, xmm1
        ; test ecx, ecx
        ; jnz =>there
    );
}
