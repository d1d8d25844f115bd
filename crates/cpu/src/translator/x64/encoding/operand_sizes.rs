//! Instructions of two operands in all sizes.

/// Emits a two-operand instruction in the guest's operand size: `m` is the operand in memory at RDX
/// + RAX, `$b` a register or an immediate.
macro_rules! sized {
    ($asm:expr, $size:expr, $name:ident, r $a:expr, r $b:expr) => {{
        let (a, b) = ($a, $b);
        match $size {
            1 => dynasm!($asm ; .arch x64 ; $name Rb(a), Rb(b)),
            2 => dynasm!($asm ; .arch x64 ; $name Rw(a), Rw(b)),
            _ => dynasm!($asm ; .arch x64 ; $name Rd(a), Rd(b)),
        }
    }};
    ($asm:expr, $size:expr, $name:ident, r $a:expr, i $b:expr) => {{
        let (a, b) = ($a, $b);
        match $size {
            1 => dynasm!($asm ; .arch x64 ; $name Rb(a), BYTE b as i8),
            2 => dynasm!($asm ; .arch x64 ; $name Rw(a), WORD b as i16),
            _ => dynasm!($asm ; .arch x64 ; $name Rd(a), DWORD b as i32),
        }
    }};
    ($asm:expr, $size:expr, $name:ident, r $a:expr, m) => {{
        let a = $a;
        match $size {
            1 => dynasm!($asm ; .arch x64 ; $name Rb(a), [rdx + rax]),
            2 => dynasm!($asm ; .arch x64 ; $name Rw(a), [rdx + rax]),
            _ => dynasm!($asm ; .arch x64 ; $name Rd(a), [rdx + rax]),
        }
    }};
    ($asm:expr, $size:expr, $name:ident, m, r $b:expr) => {{
        let b = $b;
        match $size {
            1 => dynasm!($asm ; .arch x64 ; $name [rdx + rax], Rb(b)),
            2 => dynasm!($asm ; .arch x64 ; $name [rdx + rax], Rw(b)),
            _ => dynasm!($asm ; .arch x64 ; $name [rdx + rax], Rd(b)),
        }
    }};
    ($asm:expr, $size:expr, $name:ident, m, i $b:expr) => {{
        let b = $b;
        match $size {
            1 => dynasm!($asm ; .arch x64 ; $name BYTE [rdx + rax], BYTE b as i8),
            2 => dynasm!($asm ; .arch x64 ; $name WORD [rdx + rax], WORD b as i16),
            _ => dynasm!($asm ; .arch x64 ; $name DWORD [rdx + rax], DWORD b as i32),
        }
    }};
}

pub(crate) use sized;
