//! A store into the write-combine buffer, where the page is known to be of MPBT type: the same steps
//! as `in_place.rs` of the caches, if neither first-level cache has the line.
//!
//! If the store fills the buffer or displaces what is there, something goes out for it: then it is
//! noted for what is behind the stub (`HostFrame::beyond`).

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};

use super::lookup::{TAGS, Ways, emit_return, emit_turn, emit_undone};
use super::stubs::{Assembler, at};
use crate::translator::frame::{DISPLACES, FILLS};

/// Registers as in `lookup.rs`, where no write-back page was found. Returns with the place in RDX +
/// RAX and the zero flag clear, or set if something goes out; goes on with EAX as it was otherwise.
/// R10 is the line.
pub(super) fn emit(asm: &mut Assembler, ways: &Ways) {
    let unknown = ways.unknown;
    let [there, fills, displaces, sends] = [(); 4].map(|()| asm.new_dynamic_label());
    dynasm!(asm ; .arch x64
        ; cmp edx, [rbp + r9 * 4 + at::PAGE_COMBINES]
        ; jne =>unknown
    );
    emit_absent(asm, ways);
    // How soon other pages are opened has nothing to do with this one.
    dynasm!(asm ; .arch x64 ; movd xmm7, [rbp + at::PATIENCE]);
    let turn = emit_turn(asm, unknown, false);
    dynasm!(asm ; .arch x64
        ; movd [rbp + at::PATIENCE], xmm7
        ; movzx ecx, WORD [rbp + at::HOW + 2]
        ; mov edx, 2
        ; shl edx, cl
        ; dec edx
        ; mov ecx, eax
        ; shl edx, cl
        ; and r10d, -32
        ; mov ecx, [rbp + at::BUFFER_ENABLE]
        ; or edx, ecx
        ; test ecx, ecx
        ; jz =>there
        ; cmp r10d, [rbp + at::BUFFER_LINE]
        ; jne =>displaces
        ; cmp edx, -1
        ; je =>fills
        ; =>there
        ; mov [rbp + at::BUFFER_LINE], r10d
        ; mov [rbp + at::BUFFER_ENABLE], edx
        ; inc QWORD [rbp + at::WRITE_MISSES]
        ; mov ecx, eax
        ; and ecx, -32
        ; lea rdx, [rbp + at::BUFFER_BYTES]
        ; sub rdx, rcx
    );
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
        ; mov [rbp + at::BEYOND], ecx
        ; mov [rbp + at::BEYOND + 4], edx
    );
    emit_undone(asm);
}

/// To `unknown` if L1D or L1I has the line, whose number for a comparison is R10. RCX, RDX and R11
/// go.
fn emit_absent(asm: &mut Assembler, ways: &Ways) {
    let (compared, unknown) = (ways.compared, ways.unknown);
    dynasm!(asm ; .arch x64
        ; mov r10d, [rbp + r9 * 8 + at::PAGE_FRAMES]
        ; mov edx, eax
        ; and edx, 0xFE0
        ; add r10d, edx
        ; movd xmm0, r10d
        ; pshufd xmm0, xmm0, 0
        ; mov rdx, [rsi + TAGS]
        ; shl ecx, 4
        ; movdqu xmm1, [rdx + rcx]
        ; mov r11d, r10d
        ; shr r11d, 5
        ; and r11d, [rbp + at::CODE_SETS]
        ; shl r11d, 4
        ; mov rdx, [rbp + at::CODE_TAGS]
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
