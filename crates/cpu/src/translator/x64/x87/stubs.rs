//! Moves the x87's data registers between the core and the host, for translated code.
//!
//! On loading, the guest's control word replaces the host's, which is restored on storing. Host
//! exception flags that the guest has not set are cleared first (rarely: FNCLEX is slow), so that
//! the flags found on storing are the guest's. C1 is handled likewise, because loading registers
//! clears it.

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};

use super::ops::{C1, EXCEPTIONS};
use super::soft_functions;
use crate::translator::regions::x87_state::register_offset;
use crate::translator::x64::encoding::assembler::Assembler;
use crate::translator::x64::encoding::offsets;

/// The stubs that load and store the registers, for each top of the stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct X87Stubs {
    pub load: [u64; 8],
    pub store: [u64; 8],
    /// `compute`: the stub of `soft_functions.rs`. `raise_c1`: the stub that sets the host's C1.
    pub compute: u64,
    pub raise_c1: u64,
}

impl X87Stubs {
    /// Emits the stubs and returns their offsets in the code; [`X87Stubs::at`] converts them to
    /// addresses.
    pub fn emit(asm: &mut Assembler) -> X87Stubs {
        let mut stubs = X87Stubs { load: [0; 8], store: [0; 8], compute: 0, raise_c1: 0 };
        stubs.compute = asm.offset().0 as u64;
        soft_functions::emit(asm);
        stubs.raise_c1 = asm.offset().0 as u64;
        emit_raise_c1(asm);
        dynasm!(asm ; .arch x64 ; ret);
        for top in 0..8 {
            stubs.load[usize::from(top)] = asm.offset().0 as u64;
            emit_load(asm, top);
            stubs.store[usize::from(top)] = asm.offset().0 as u64;
            emit_store(asm, top);
        }
        stubs
    }

    pub fn at(self, base: u64) -> X87Stubs {
        let address = |offset: u64| base + offset;
        let X87Stubs { load, store, compute, raise_c1 } = self;
        X87Stubs {
            load: load.map(address),
            store: store.map(address),
            compute: address(compute),
            raise_c1: address(raise_c1),
        }
    }
}

/// The byte offset at which FNSTENV stores the status word.
const STATUS_OF_ENVIRONMENT: i32 = 4;
/// The byte offset at which FXSAVE stores ST(0); each further register is 16 bytes later.
const IMAGE_REGISTERS: i32 = 32;

/// The offset from RBP of guest ST(i) in the core.
pub(crate) fn register(top: u8, i: u8) -> i32 {
    offsets::of(offsets::FPU + register_offset(usize::from((top + i) & 7)))
}

fn emit_load(asm: &mut Assembler, top: u8) {
    dynasm!(asm ; .arch x64
        ; fnstcw [rbp + offsets::HOST_CONTROL]
        ; movzx ecx, WORD [rbp + offsets::X87_FLAGS]
        ; fnstsw ax
        ; not ecx
        ; and eax, ecx
        ; test al, EXCEPTIONS as i8
        ; jz >clear
        ; fnclex
        ; clear:
        ; fldcw [rbp + offsets::X87_CONTROL]
    );
    for i in (0..8).rev() {
        dynasm!(asm ; .arch x64 ; fld TWORD [rbp + register(top, i)]);
    }
    dynasm!(asm ; .arch x64
        ; test WORD [rbp + offsets::X87_FLAGS], C1 as i16
        ; jz >down
    );
    emit_raise_c1(asm);
    dynasm!(asm ; .arch x64 ; down: ; ret);
}

/// Emits the setting of C1 in the host's status word, after loading registers has cleared it.
fn emit_raise_c1(asm: &mut Assembler) {
    let (image, status) = (offsets::X87_IMAGE, offsets::X87_IMAGE + STATUS_OF_ENVIRONMENT);
    dynasm!(asm ; .arch x64
        ; fnstenv [rbp + image]
        ; or WORD [rbp + status], C1 as i16
        ; fldenv [rbp + image]
    );
}

fn emit_store(asm: &mut Assembler, top: u8) {
    dynasm!(asm ; .arch x64
        ; fnstsw ax
        ; and eax, EXCEPTIONS | C1
        ; movzx edx, WORD [rbp + offsets::X87_FLAGS]
        ; and edx, !C1
        ; or eax, edx
        ; mov [rbp + offsets::X87_FLAGS], ax
    );
    // FSTP would not return the contents of an empty register.
    dynasm!(asm ; .arch x64 ; fxsave [rbp + offsets::X87_IMAGE]);
    for i in 0..8 {
        let (from, to) =
            (offsets::X87_IMAGE + IMAGE_REGISTERS + 16 * i32::from(i), register(top, i));
        dynasm!(asm ; .arch x64
            ; mov rax, [rbp + from]
            ; mov [rbp + to], rax
            ; mov ax, [rbp + from + 8]
            ; mov [rbp + to + 8], ax
        );
    }
    dynasm!(asm ; .arch x64 ; emms ; fldcw [rbp + offsets::HOST_CONTROL] ; ret);
}
