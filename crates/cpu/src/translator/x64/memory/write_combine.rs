//! A store into the write-combine buffer: its page is of MPBT type, and neither L1D nor L1I has the
//! line. This is a copy of the rule in `in_place.rs` of the cache crate.
//!
//! If the store fills the buffer or evicts another line, that line drains to the bus;
//! `HostFrame::beyond` then informs the code after the stub.
//!
//! Messages of 768 bytes that are put and got through the MPB take 1.39 times the host's
//! instructions without this path (2026-11-29).

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};

use super::l1d_lookup::{SET_SHIFT, TAGS, Ways, emit_place, emit_return, emit_turn, emit_undone};
use super::line_predictor::emit_tlb_set;
use crate::translator::x64::encoding::assembler::Assembler;
use crate::translator::x64::encoding::host_registers::{R9, RAX};
use crate::translator::x64::encoding::offsets;
use crate::translator_frame::host_frame::{DISPLACES, FILLS};

/// Emits the store. Registers as in `l1d_lookup.rs`, where no write-back page was found; R10 is the
/// line. The code returns from the stub with the place of the bytes in RDX + RAX and the zero flag
/// clear, or with the zero flag set if a line drains. Otherwise execution continues here with ECX,
/// EDX and R9 unchanged (no MPBT page), or at `Ways::unknown`; EAX is always unchanged.
pub(crate) fn emit(asm: &mut Assembler, ways: &Ways) {
    let unknown = ways.unknown;
    let [otherwise, there, fills, displaces, sends] = [(); 5].map(|()| asm.new_dynamic_label());
    dynasm!(asm ; .arch x64
        ; cmp edx, [rbp + r9 + offsets::PAGE_COMBINES]
        ; jne =>otherwise
    );
    emit_absent(asm, ways);
    let turn = emit_turn(asm, unknown, false);
    dynasm!(asm ; .arch x64
        ; movzx ecx, WORD [rbp + offsets::HOW + 2]
        ; mov edx, 2
        ; shl edx, cl
        ; dec edx
        ; mov ecx, eax
        ; shl edx, cl
        ; and r10d, -32
        ; mov ecx, [rbp + offsets::BUFFER_ENABLE]
        ; or edx, ecx
        ; test ecx, ecx
        ; jz =>there
        ; cmp r10d, [rbp + offsets::BUFFER_LINE]
        ; jne =>displaces
        ; cmp edx, -1
        ; je =>fills
        ; =>there
        ; mov [rbp + offsets::BUFFER_LINE], r10d
        ; mov [rbp + offsets::BUFFER_ENABLE], edx
        ; inc QWORD [rbp + offsets::WRITE_MISSES]
    );
    emit_note(asm);
    emit_bytes(asm);
    emit_return(asm);
    turn.emit_open(asm, unknown);
    dynasm!(asm ; .arch x64
        ; =>fills
        ; mov edx, (FILLS >> 32) as i32
        ; jmp =>sends
        ; =>displaces
        ; mov edx, (DISPLACES >> 32) as i32
        ; =>sends
        ; mov ecx, eax
        ; and ecx, 31
        ; or ecx, r10d
        ; mov [rbp + offsets::BEYOND], ecx
        ; mov [rbp + offsets::BEYOND + 4], edx
    );
    emit_undone(asm);
    dynasm!(asm ; .arch x64 ; =>otherwise);
}

/// Emits the computation of the place of the bytes: RDX + RAX. Clobbers RCX.
fn emit_bytes(asm: &mut Assembler) {
    dynasm!(asm ; .arch x64
        ; mov ecx, eax
        ; and ecx, -32
        ; lea rdx, [rbp + offsets::BUFFER_BYTES]
        ; sub rdx, rcx
    );
}

/// Emits the recording of the line for [`emit_again`]. Clobbers RCX, RDI and R9.
fn emit_note(asm: &mut Assembler) {
    emit_tlb_set(asm);
    dynasm!(asm ; .arch x64
        ; add rdi, [rbp + offsets::TLB_USES]
        ; mov [rbp + offsets::COMBINING_RECENT], rdi
    );
    emit_place(asm, RAX, R9);
    dynasm!(asm ; .arch x64
        ; lea rdi, [rbp + r9 + offsets::PAGE_COMBINES]
        ; mov [rbp + offsets::COMBINING_PAGE], rdi
        ; mov rdi, [rbp + offsets::REFILLS]
        ; mov [rbp + offsets::COMBINING_REFILLS], rdi
        ; mov ecx, eax
        ; or ecx, 31
        ; mov [rbp + offsets::COMBINING], rcx
    );
}

/// Emits a return from the stub for a store into the line of the last such store, if no access in
/// between can have brought that line into a cache (`HostFrame::combining`), its page is still the
/// most recent one, and no line drains. Otherwise execution continues with only RDI changed.
pub(crate) fn emit_again(asm: &mut Assembler) {
    let (other, otherwise) = (asm.new_dynamic_label(), asm.new_dynamic_label());
    dynasm!(asm ; .arch x64
        ; mov edi, eax
        ; or edi, 31
        ; cmp rdi, [rbp + offsets::COMBINING]
        ; jne =>other
        ; mov rdi, [rbp + offsets::COMBINING_PAGE]
        ; cmp edx, [rdi]
        ; jne =>other
        ; mov rdi, [rbp + offsets::COMBINING_REFILLS]
        ; cmp rdi, [rbp + offsets::REFILLS]
        ; jne =>other
        ; push rcx
        ; mov ecx, eax
        ; shr ecx, 12
        ; mov rdi, [rbp + offsets::COMBINING_RECENT]
        ; cmp ecx, [rdi]
        ; jne =>otherwise
        ; movzx ecx, WORD [rbp + offsets::HOW + 2]
        ; mov edi, 2
        ; shl edi, cl
        ; dec edi
        ; mov ecx, eax
        ; shl edi, cl
        ; or edi, [rbp + offsets::BUFFER_ENABLE]
        ; cmp edi, -1
        ; je =>otherwise
        ; mov [rbp + offsets::BUFFER_ENABLE], edi
        ; inc QWORD [rbp + offsets::WRITE_MISSES]
        ; pop rcx
    );
    emit_bytes(asm);
    dynasm!(asm ; .arch x64
        ; test rdx, rdx
        ; ret
        ; =>otherwise
        ; pop rcx
        ; =>other
    );
}

/// Emits a jump to `Ways::unknown` if L1D or L1I has the line. Afterwards R10 is the line's tag.
/// Clobbers RCX, RDX, R11 and XMM0 to XMM2.
fn emit_absent(asm: &mut Assembler, ways: &Ways) {
    let (compared, unknown) = (ways.compared, ways.unknown);
    dynasm!(asm ; .arch x64
        ; mov r10d, [rbp + r9 + offsets::PAGE_FRAME]
        ; mov edx, eax
        ; and edx, 0xFE0
        ; add r10d, edx
        ; movd xmm0, r10d
        ; pshufd xmm0, xmm0, 0
        ; mov rdx, [rsi + TAGS]
        ; movdqu xmm1, [rdx + rcx]
        ; mov r11d, r10d
        ; shr r11d, SET_SHIFT
        ; and r11d, [rbp + offsets::CODE_SETS]
        ; mov rdx, [rbp + offsets::CODE_TAGS]
        ; movdqu xmm2, [rdx + r11]
        ; pand xmm1, [=>compared]
        ; pand xmm2, [=>compared]
        ; pcmpeqd xmm1, xmm0
        ; pcmpeqd xmm2, xmm0
        ; por xmm1, xmm2
        ; movmskps ecx, xmm1
        ; test ecx, ecx
        ; jnz =>unknown
    );
}
