//! The frame of the test program: sets up one case after another, lets its instruction run, and
//! records what it did.
//!
//! After the instruction no register is known, not even the stack or DS: the frame stores through
//! SS (always flat) at absolute addresses. A fault arrives as a signal on the alternate stack; the
//! handler records the frame that the kernel built and goes on without returning.

use iced_x86::IcedError;
use iced_x86::code_asm::*;

use crate::layout::{self, input, output};

/// Variables of the frame, in its data segment.
mod variable {
    use crate::layout::DATA;
    pub const SIGNAL_STACK: u32 = DATA;
    pub const SIGNAL_STACK_BYTES: u32 = 0x1_8000;
    pub const STACK_TOP: u32 = DATA + 0x2_8000;
    const BASE: u32 = DATA + 0x2_8000;
    pub const INPUT: u32 = BASE;
    pub const OUTPUT: u32 = BASE + 4;
    pub const LEFT: u32 = BASE + 8;
    pub const TARGET: u32 = BASE + 12;
    pub const GS: u32 = BASE + 16;
    pub const EXIT: u32 = BASE + 20;
    pub const EFLAGS: u32 = BASE + 24;
    pub const WRITTEN: u32 = BASE + 28;
    pub const GENERAL: u32 = BASE + 32;
    /// Structures for system calls.
    pub const CALL: u32 = BASE + 96;
}

/// i386 Linux system calls and the constants they take.
mod linux {
    pub const EXIT: u32 = 1;
    pub const WRITE: u32 = 4;
    pub const RT_SIGACTION: u32 = 174;
    pub const SIGALTSTACK: u32 = 186;
    pub const SET_THREAD_AREA: u32 = 243;
    /// SA_SIGINFO, SA_ONSTACK and SA_NODEFER: the handler never returns.
    pub const HANDLER_FLAGS: u32 = 0x4 | 0x0800_0000 | 0x4000_0000;
    /// SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV.
    pub const SIGNALS: [u32; 5] = [4, 5, 7, 8, 11];
    /// A 32-bit writable data segment of whole pages, ready for use.
    pub const SEGMENT_FLAGS: u32 = 0x51;
    /// Where `struct sigcontext` lies in `struct ucontext`, and its fields.
    pub const CONTEXT: i32 = 20;
    pub const GENERAL: [i32; 8] = [44, 40, 36, 32, 28, 24, 20, 16];
    pub const VECTOR: i32 = 48;
    pub const ERROR: i32 = 52;
    pub const EIP: i32 = 56;
    pub const EFLAGS: i32 = 64;
    pub const FPSTATE: i32 = 76;
    pub const CR2: i32 = 84;
}

/// The assembled frame.
pub struct Harness {
    pub text: Vec<u8>,
    /// Address of the first instruction.
    pub start: u32,
    /// Where a case arrives that fell through, reached landing A, or landing B.
    pub exits: [u32; 3],
}

/// Assembles the frame for a program; `cases`: the number of its cases.
pub fn assemble(cases: u32) -> Result<Harness, IcedError> {
    let mut a = CodeAssembler::new(32)?;
    let mut labels =
        Labels { next: a.create_label(), store: a.create_label(), record_window: a.create_label() };
    // First, so that its address is known: `TEXT`.
    handle_signal(&mut a, &mut labels)?;
    let mut exits = [a.create_label(), a.create_label(), a.create_label()];
    let mut start = a.create_label();
    a.set_label(&mut start)?;
    set_up(&mut a, cases)?;
    enter_case(&mut a, &mut labels.next)?;
    for (number, exit) in (0..).zip(exits.iter_mut()) {
        a.set_label(exit)?;
        a.mov(dword_ptr(variable::EXIT).ss(), number)?;
        a.jmp(labels.store)?;
    }
    store_case(&mut a, &mut labels)?;
    let assembled = a.assemble_options(
        u64::from(layout::TEXT),
        iced_x86::BlockEncoderOptions::RETURN_NEW_INSTRUCTION_OFFSETS,
    )?;
    let address = |label: &CodeLabel| assembled.label_ip(label).map(|ip| ip as u32);
    let found = [address(&exits[0])?, address(&exits[1])?, address(&exits[2])?];
    let start = address(&start)?;
    Ok(Harness { start, exits: found, text: assembled.inner.code_buffer })
}

struct Labels {
    next: CodeLabel,
    store: CodeLabel,
    record_window: CodeLabel,
}

/// Signal handlers, the segment of GS, and the loop variables.
fn set_up(a: &mut CodeAssembler, cases: u32) -> Result<(), IcedError> {
    let call = variable::CALL;
    let store = |a: &mut CodeAssembler, words: &[u32]| -> Result<(), IcedError> {
        for (i, &word) in (0..).zip(words) {
            a.mov(dword_ptr(call + 4 * i), word)?;
        }
        Ok(())
    };
    store(a, &[variable::SIGNAL_STACK, 0, variable::SIGNAL_STACK_BYTES])?;
    a.mov(ebx, call)?;
    a.xor(ecx, ecx)?;
    a.mov(eax, linux::SIGALTSTACK)?;
    a.int(0x80)?;

    store(a, &[layout::TEXT, linux::HANDLER_FLAGS, 0, 0, 0])?;
    for signal in linux::SIGNALS {
        a.mov(ebx, signal)?;
        a.mov(ecx, call)?;
        a.xor(edx, edx)?;
        a.mov(esi, 8)?;
        a.mov(eax, linux::RT_SIGACTION)?;
        a.int(0x80)?;
    }

    store(a, &[u32::MAX, layout::GS_BASE, 0xF_FFFF, linux::SEGMENT_FLAGS])?;
    a.mov(ebx, call)?;
    a.mov(eax, linux::SET_THREAD_AREA)?;
    a.int(0x80)?;
    a.mov(eax, dword_ptr(call))?;
    a.lea(eax, dword_ptr(eax * 8 + 3))?;
    a.mov(dword_ptr(variable::GS), eax)?;

    a.mov(dword_ptr(variable::INPUT), layout::INPUTS)?;
    a.mov(dword_ptr(variable::OUTPUT), layout::OUTPUTS)?;
    a.mov(dword_ptr(variable::LEFT), cases)
}

/// Loads memory, x87, segments, flags and registers of a case, and jumps to its instruction.
fn enter_case(a: &mut CodeAssembler, next: &mut CodeLabel) -> Result<(), IcedError> {
    let mut flat = a.create_label();
    a.set_label(next)?;
    a.mov(esp, variable::STACK_TOP)?;
    a.cld()?;
    a.mov(ebx, dword_ptr(variable::INPUT))?;
    a.mov(edi, dword_ptr(ebx + input::WINDOW_ADDRESS))?;
    a.lea(esi, dword_ptr(ebx + input::WINDOW))?;
    a.mov(ecx, layout::WINDOW_BYTES as u32 / 4)?;
    a.rep().movsd()?;
    a.xor(eax, eax)?;
    a.mov(fs, eax)?;
    a.mov(ecx, dword_ptr(variable::GS))?;
    a.mov(gs, ecx)?;
    a.cmp(dword_ptr(ebx + input::ES_IS_GS), 0)?;
    a.je(flat)?;
    a.mov(es, ecx)?;
    a.set_label(&mut flat)?;
    a.frstor(dword_ptr(ebx + input::FPU))?;
    a.mov(eax, dword_ptr(ebx + input::ENTRY))?;
    a.mov(dword_ptr(variable::TARGET), eax)?;
    a.push(dword_ptr(ebx + input::EFLAGS))?;
    a.popfd()?;
    a.mov(eax, dword_ptr(ebx + input::GENERAL))?;
    a.mov(ecx, dword_ptr(ebx + (input::GENERAL + 4)))?;
    a.mov(edx, dword_ptr(ebx + (input::GENERAL + 8)))?;
    a.mov(esp, dword_ptr(ebx + (input::GENERAL + 16)))?;
    a.mov(ebp, dword_ptr(ebx + (input::GENERAL + 20)))?;
    a.mov(esi, dword_ptr(ebx + (input::GENERAL + 24)))?;
    a.mov(edi, dword_ptr(ebx + (input::GENERAL + 28)))?;
    a.mov(ebx, dword_ptr(ebx + (input::GENERAL + 12)))?;
    a.jmp(dword_ptr(variable::TARGET))
}

/// After a case that did not fault; and, from `record_window` on, after any case.
fn store_case(a: &mut CodeAssembler, labels: &mut Labels) -> Result<(), IcedError> {
    a.set_label(&mut labels.store)?;
    for (i, register) in (0..).zip([eax, ecx, edx, ebx, esp, ebp, esi, edi]) {
        a.mov(dword_ptr(variable::GENERAL + 4 * i).ss(), register)?;
    }
    a.mov(esp, variable::STACK_TOP)?;
    a.pushfd()?;
    a.pop(dword_ptr(variable::EFLAGS).ss())?;
    // DF, AC, NT and the rest.
    a.push(0)?;
    a.popfd()?;
    a.mov(ebx, dword_ptr(variable::OUTPUT).ss())?;
    for (place, register) in (output::SEGMENTS..).step_by(2).zip([ds, es, fs, gs]) {
        a.mov(word_ptr(ebx + place).ss(), register)?;
    }
    a.mov(eax, ss)?;
    a.mov(ds, eax)?;
    a.mov(es, eax)?;
    a.fnsave(dword_ptr(ebx + output::FPU))?;
    a.mov(esi, variable::GENERAL)?;
    a.lea(edi, dword_ptr(ebx + output::GENERAL))?;
    a.mov(ecx, 8)?;
    a.rep().movsd()?;
    a.mov(eax, dword_ptr(variable::EFLAGS))?;
    a.mov(dword_ptr(ebx + output::EFLAGS), eax)?;
    a.mov(eax, dword_ptr(variable::EXIT))?;
    a.mov(dword_ptr(ebx + output::EXIT), eax)?;

    a.set_label(&mut labels.record_window)?;
    a.mov(eax, dword_ptr(variable::INPUT))?;
    a.mov(esi, dword_ptr(eax + input::WINDOW_ADDRESS))?;
    a.lea(edi, dword_ptr(ebx + output::WINDOW))?;
    a.mov(ecx, layout::WINDOW_BYTES as u32 / 4)?;
    a.rep().movsd()?;
    a.add(dword_ptr(variable::INPUT), layout::RECORD_BYTES as u32)?;
    a.add(dword_ptr(variable::OUTPUT), layout::RECORD_BYTES as u32)?;
    a.dec(dword_ptr(variable::LEFT))?;
    a.jne(labels.next)?;
    write_outputs(a)
}

/// All output records to stdout, and the end of the program.
fn write_outputs(a: &mut CodeAssembler) -> Result<(), IcedError> {
    let (mut more, mut done) = (a.create_label(), a.create_label());
    a.mov(dword_ptr(variable::WRITTEN), layout::OUTPUTS)?;
    a.set_label(&mut more)?;
    a.mov(ecx, dword_ptr(variable::WRITTEN))?;
    a.mov(edx, dword_ptr(variable::OUTPUT))?;
    a.sub(edx, ecx)?;
    a.je(done)?;
    a.mov(ebx, 1)?;
    a.mov(eax, linux::WRITE)?;
    a.int(0x80)?;
    a.add(dword_ptr(variable::WRITTEN), eax)?;
    a.test(eax, eax)?;
    a.jg(more)?;
    a.set_label(&mut done)?;
    a.xor(ebx, ebx)?;
    a.mov(eax, linux::EXIT)?;
    a.int(0x80)
}

/// The signal handler: its third argument is the `struct ucontext`.
fn handle_signal(a: &mut CodeAssembler, labels: &mut Labels) -> Result<(), IcedError> {
    let mut no_fpu = a.create_label();
    a.mov(ebx, dword_ptr(variable::OUTPUT))?;
    a.mov(eax, dword_ptr(esp + 4))?;
    a.mov(dword_ptr(ebx + output::SIGNAL), eax)?;
    a.mov(edx, dword_ptr(esp + 12))?;
    a.add(edx, linux::CONTEXT)?;
    let general = (output::GENERAL..).step_by(4).zip(linux::GENERAL);
    let others = [
        (output::EFLAGS, linux::EFLAGS),
        (output::EIP, linux::EIP),
        (output::VECTOR, linux::VECTOR),
        (output::ERROR, linux::ERROR),
        (output::CR2, linux::CR2),
    ];
    for (to, from) in general.chain(others) {
        a.mov(eax, dword_ptr(edx + from))?;
        a.mov(dword_ptr(ebx + to), eax)?;
    }
    a.mov(dword_ptr(ebx + output::EXIT), layout::EXIT_FAULT)?;
    a.mov(esi, dword_ptr(edx + linux::FPSTATE))?;
    a.test(esi, esi)?;
    a.je(no_fpu)?;
    a.lea(edi, dword_ptr(ebx + output::FPU))?;
    a.mov(ecx, layout::FPU_BYTES as u32 / 4)?;
    a.rep().movsd()?;
    a.set_label(&mut no_fpu)?;
    a.mov(esp, variable::STACK_TOP)?;
    a.jmp(labels.record_window)
}
