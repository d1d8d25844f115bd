//! Shades by hand: short programs, the registers after each instruction, and what is reported.

use iced_x86::code_asm::{CodeAssembler, al, eax, ebx, ecx, edi, esi, ptr};
use rockcreek_defs::Retired;

use super::{Report, Use, Values};

const CODE: u32 = 0x1000;
const BLOCK: u32 = 0x5000;
const OTHER: u32 = 0x5040;
const KERNEL: u32 = 0xC010_0000;

/// A program of one core, and what the check reports of it.
struct Run {
    values: Values,
    /// The addresses of the instructions.
    at: Vec<u32>,
    registers: [u32; 8],
    user: bool,
    reports: Vec<Report>,
}

impl Run {
    /// A program with two blocks of 64 bytes: EBX has the address of the first.
    fn new(code: impl FnOnce(&mut CodeAssembler)) -> Run {
        let mut assembler = CodeAssembler::new(32).unwrap();
        code(&mut assembler);
        let bytes = assembler.assemble(CODE.into()).unwrap();
        let mut decoder =
            iced_x86::Decoder::with_ip(32, &bytes, CODE.into(), iced_x86::DecoderOptions::NONE);
        let at = decoder.iter().map(|one| one.ip32()).collect();
        let kernel = vec![0xCF]; // IRET
        let mut values = Values::new(1, vec![(CODE, bytes), (KERNEL, kernel)]);
        values.given(0, BLOCK, 64, 0, Some(0), true);
        values.given(0, OTHER, 64, 1, Some(0), false);
        let mut run = Run { values, at, registers: [0; 8], user: true, reports: Vec::new() };
        run.registers[0] = BLOCK;
        run.registers[3] = BLOCK;
        run
    }

    /// Executes instruction `n`, which leaves these registers (number, value) and flags.
    fn step(&mut self, n: usize, changed: &[(usize, u32)], eflags: u32) -> &mut Run {
        self.at_address(self.at[n], changed, eflags)
    }

    fn at_address(&mut self, eip: u32, changed: &[(usize, u32)], eflags: u32) -> &mut Run {
        for (register, value) in changed {
            self.registers[*register] = *value;
        }
        let retired =
            Retired { eip, eflags, general: self.registers, user: self.user, ..Retired::default() };
        let reports = &mut self.reports;
        self.values.retired(0, &retired, false, &mut |report| reports.push(report));
        self
    }

    fn uses(&self) -> Vec<(Use, Option<u32>)> {
        self.reports.iter().map(|report| (report.what, report.block)).collect()
    }
}

#[test]
fn a_branch_on_what_was_never_written() {
    let mut run = Run::new(|code| {
        let mut end = code.create_label();
        code.mov(ebx, eax).unwrap();
        code.mov(ecx, ptr(ebx + 8)).unwrap();
        code.add(ecx, 5).unwrap();
        code.cmp(ecx, 7).unwrap();
        code.je(end).unwrap();
        code.set_label(&mut end).unwrap();
        code.nop().unwrap();
    });
    run.step(0, &[], 0).step(1, &[(1, 0)], 0).step(2, &[(1, 5)], 0).step(3, &[], 0);
    assert!(run.uses().is_empty(), "copies and sums are no uses");
    run.step(4, &[], 0);
    assert_eq!(run.uses(), [(Use::Branch, Some(0))]);
}

#[test]
fn bits_that_are_written_decide_alone() {
    let mut run = Run::new(|code| {
        let mut end = code.create_label();
        code.mov(ebx, eax).unwrap();
        code.and(iced_x86::code_asm::byte_ptr(ebx), 0xF8u32).unwrap();
        code.or(iced_x86::code_asm::byte_ptr(ebx), 3).unwrap();
        code.mov(al, iced_x86::code_asm::byte_ptr(ebx)).unwrap();
        code.test(al, 7).unwrap();
        code.je(end).unwrap();
        code.test(al, 8).unwrap();
        code.je(end).unwrap();
        code.set_label(&mut end).unwrap();
        code.nop().unwrap();
    });
    run.step(0, &[], 0).step(1, &[], 0).step(2, &[], 0).step(3, &[(0, 3)], 0);
    run.step(4, &[], 0).step(5, &[], 0);
    assert!(run.uses().is_empty(), "a field of three bits was written");
    run.step(6, &[], 0x40).step(7, &[], 0x40);
    assert_eq!(run.uses(), [(Use::Branch, Some(0))], "the bit beside it was not");
}

#[test]
fn a_pointer_stays_in_its_block() {
    let mut run = Run::new(|code| {
        code.mov(ebx, eax).unwrap();
        code.mov(ptr(ebx + 0x40), ecx).unwrap();
        code.sub(eax, ebx).unwrap();
        code.add(eax, esi).unwrap();
        code.mov(ptr(eax), ecx).unwrap();
    });
    run.step(0, &[], 0).step(1, &[], 0);
    assert_eq!(run.uses(), [(Use::Beyond, Some(0))], "another block lies there");
    assert_eq!(run.reports[0].address, OTHER);
    run.registers[6] = OTHER + 64;
    run.step(2, &[(0, 0)], 0x40).step(3, &[(0, OTHER + 64)], 0).step(4, &[], 0);
    assert_eq!(run.reports.len(), 1, "a difference of pointers points nowhere");
}

#[test]
fn a_freed_block_that_was_given_again() {
    let mut run = Run::new(|code| {
        code.mov(ebx, eax).unwrap();
        code.mov(ecx, ptr(ebx)).unwrap();
    });
    run.step(0, &[], 0);
    assert_eq!(run.values.freed(0, BLOCK, false), Some(0));
    run.values.given(0, BLOCK, 64, 2, Some(0), false);
    run.step(1, &[], 0);
    assert_eq!(run.uses(), [(Use::Freed, Some(0))]);
}

#[test]
fn strings_carry_shades_and_go_on_after_faults() {
    let mut run = Run::new(|code| {
        code.mov(edi, eax).unwrap();
        code.rep().stosb().unwrap();
        code.mov(ebx, ptr(eax + 8)).unwrap();
        code.mov(ecx, ptr(ebx)).unwrap();
        code.mov(ebx, ptr(eax + 16)).unwrap();
        code.mov(ecx, ptr(ebx)).unwrap();
    });
    run.registers[1] = 16;
    run.step(0, &[(7, BLOCK)], 0);
    // The first 4 bytes are stored; then a page is missing, twice.
    for done in [4, 8] {
        run.user = false;
        run.at_address(KERNEL, &[(1, 16 - done), (7, BLOCK + done)], 0);
        run.user = true;
    }
    run.step(1, &[(1, 0), (7, BLOCK + 16)], 0);
    run.step(2, &[(3, 0)], 0).step(3, &[], 0);
    assert!(run.uses().is_empty(), "all 16 bytes are written");
    run.step(4, &[(3, 0)], 0).step(5, &[], 0);
    assert_eq!(run.uses(), [(Use::Address, Some(0))]);
}

#[test]
fn floats_are_unwritten_as_a_whole() {
    let mut run = Run::new(|code| {
        code.nop().unwrap();
        code.fld(iced_x86::code_asm::qword_ptr(eax + 4)).unwrap();
        code.fstp(iced_x86::code_asm::qword_ptr(eax + 32)).unwrap();
        code.mov(ebx, ptr(eax + 32)).unwrap();
        code.jmp(ebx).unwrap();
    });
    run.step(0, &[], 0).step(1, &[], 0).step(2, &[], 0).step(3, &[(3, 0)], 0);
    assert_eq!(run.uses(), []);
    run.step(4, &[], 0);
    assert_eq!(run.uses(), [(Use::Address, Some(0))]);
}
