//! A teaching table: known programs on core 0 of the real chip, and the exact values of its event
//! counters, with the reason beside each number.
//!
//! Every program begins with empty caches and TLBs, in protected mode with paging: 4 MB of private
//! memory mapped one to one and cached, write-back; shared memory, configuration registers and the
//! local APIC uncached. It runs once for each pair of events: CESR is set, the program runs, CESR
//! is cleared, both counters are stored.

use crate::common;

use std::collections::BTreeMap;

use common::{BASE, kernel, machine};
use iced_x86::code_asm::*;
use iced_x86::{BlockEncoderOptions, IcedError};
use rockcreek_chip::Stopped;
use rockcreek_defs::{CoreAddr, CoreId};

const CODE: u32 = BASE + 12;
const GDT: u32 = 0x20_0000;
const IDT: u32 = 0x20_0800;
const POINTERS: u32 = 0x20_0F00;
const DIRECTORY: u32 = 0x20_1000;
const TABLE: u32 = 0x20_2000;
const STACK: u32 = 0x21_0000;
const RESULT: u32 = 0x8000_0000;
/// The address of the programs' data; tables and stack lie in other sets of L1D.
const DATA: u32 = 0x30_0400;
const VECTOR: u8 = 0x31;

const CESR: u32 = 0x11;
const COUNTER_0: u32 = 0x12;
const ANY_LEVEL: u32 = 3;

/// The numbers of events in CESR.
const READS: u32 = 0x00;
const WRITES: u32 = 0x01;
const DATA_TLB_MISSES: u32 = 0x02;
const READ_MISSES: u32 = 0x03;
const WRITE_MISSES: u32 = 0x04;
const WRITES_TO_OWN_LINES: u32 = 0x05;
const WRITE_BACKS: u32 = 0x06;
const SNOOPS: u32 = 0x07;
const CODE_TLB_MISSES: u32 = 0x0D;
const CODE_MISSES: u32 = 0x0E;
const SEGMENT_LOADS: u32 = 0x0F;
const BRANCHES: u32 = 0x12;
const INSTRUCTIONS: u32 = 0x16;
const LOCKED_CYCLES: u32 = 0x1C;
const PORT_CYCLES: u32 = 0x1D;
const UNCACHED_READS: u32 = 0x1E;
const FLOATING_POINT: u32 = 0x22;
const INTERRUPTS: u32 = 0x27;
const ACCESSES: u32 = 0x28;
const MISSES: u32 = 0x29;

/// The number of instructions counted outside a program: the WRMSR that sets CESR counts itself;
/// MOV, XOR and MOV stand before the one that clears it.
const FRAME: u32 = 4;

type Assembled = Result<(), IcedError>;
type Program = fn(&mut CodeAssembler) -> Assembled;

/// Sets an MSR, with EDX = 0.
fn write_msr(a: &mut CodeAssembler, register: u32, value: u32) -> Assembled {
    a.mov(eax, value)?;
    a.xor(edx, edx)?;
    a.mov(ecx, register)?;
    a.wrmsr()
}

/// Emits the loading of tables, and turns paging and caches on; EBX points to the data.
fn prologue(a: &mut CodeAssembler) -> Assembled {
    a.lgdt(fword_ptr(POINTERS))?;
    a.lidt(fword_ptr(POINTERS + 8))?;
    let [b0, b1, b2, b3] = (CODE + 21).to_le_bytes();
    a.db(&[0xEA, b0, b1, b2, b3, 8, 0])?;
    a.mov(esp, STACK)?;
    a.mov(eax, DIRECTORY)?;
    a.mov(cr3, eax)?;
    a.mov(eax, 0x10u32)?;
    a.mov(cr4, eax)?;
    a.mov(eax, 0x8000_0011u32)?;
    a.mov(cr0, eax)?;
    a.mov(ebx, DATA)
}

/// Assembles the whole program; returns it with the address of the handler of [`VECTOR`].
fn assemble(program: Program, select: u32) -> Result<(Vec<u8>, u32), IcedError> {
    let mut a = CodeAssembler::new(32)?;
    let mut handler = a.create_label();
    prologue(&mut a)?;
    write_msr(&mut a, CESR, select)?;
    program(&mut a)?;
    write_msr(&mut a, CESR, 0)?;
    for counter in 0..2 {
        a.mov(ecx, COUNTER_0 + counter)?;
        a.rdmsr()?;
        a.mov(dword_ptr(RESULT + 4 * counter), eax)?;
    }
    a.cli()?;
    a.hlt()?;
    // The handler: lowers the pin again, and ends the interrupt.
    a.set_label(&mut handler)?;
    a.mov(dword_ptr(0xF800_0010u32), 0xDF8)?;
    a.mov(dword_ptr(0xFEE0_00B0u32), 0)?;
    a.iretd()?;
    let options = BlockEncoderOptions::RETURN_NEW_INSTRUCTION_OFFSETS;
    let encoded = a.assemble_options(CODE.into(), options)?;
    let handler = encoded.label_ip(&handler)? as u32;
    Ok((encoded.inner.code_buffer, handler))
}

/// The counts of two events while a program runs.
fn counts(program: Program, events: [u32; 2]) -> [u32; 2] {
    let select = [0, 16].map(|at| ANY_LEVEL << (at + 6)).iter().sum::<u32>();
    let (code, handler) = assemble(program, select | events[0] | events[1] << 16).unwrap();
    let mut chip = machine();
    let core = CoreId(0);
    chip.load(core, &kernel(&code), "", &[]).unwrap();
    let mut poke = |address: u32, words: &[u32]| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert!(chip.uncore.poke(core, CoreAddr(address), &bytes));
    };
    poke(GDT, &[0, 0, 0xFFFF, 0x00CF_9A00, 0xFFFF, 0x00CF_9200]);
    poke(POINTERS, &[23 | GDT << 16, GDT >> 16, 0x1FF | IDT << 16, IDT >> 16]);
    poke(IDT + 8 * u32::from(VECTOR), &[8 << 16 | handler & 0xFFFF, handler & !0xFFFF | 0x8E00]);
    // Accessed and dirty bits are set already: page walks write nothing.
    let pages: Vec<u32> = (0..1024).map(|page| page << 12 | 0x63).collect();
    poke(TABLE, &pages);
    poke(DIRECTORY, &[TABLE | 0x23]);
    for entry in [RESULT >> 22, 0xF800_0000 >> 22, 0xFEE0_0000 >> 22] {
        poke(DIRECTORY + 4 * entry, &[entry << 22 | 0xF3]);
    }
    chip.release(core);
    assert_eq!(chip.run(None, || true), Stopped::Idle);
    let read = |address| {
        let mut word = [0; 4];
        assert!(chip.uncore.peek(core, CoreAddr(address), &mut word));
        u32::from_le_bytes(word)
    };
    [read(RESULT), read(RESULT + 4)]
}

/// Runs a program for all its events, two at a time.
fn check(program: Program, expected: &[(u32, u32)]) {
    let mut found = BTreeMap::new();
    for pair in expected.chunks(2) {
        let events = [pair[0].0, pair[pair.len() - 1].0];
        found.extend(events.into_iter().zip(counts(program, events)));
    }
    let expected: BTreeMap<u32, u32> = expected.iter().copied().collect();
    assert_eq!(found, expected, "by number of the event");
}

/// Ten rounds: read a word, add it to the next one.
#[test]
fn a_loop() {
    let program: Program = |a| {
        let mut again = a.create_label();
        a.mov(ebp, 10u32)?;
        a.set_label(&mut again)?;
        a.mov(eax, dword_ptr(ebx))?;
        a.add(dword_ptr(ebx + 4), eax)?;
        a.dec(ebp)?;
        a.jne(again)
    };
    check(
        program,
        &[
            (INSTRUCTIONS, FRAME + 1 + 4 * 10),
            (READS, 10 + 10),  // MOV reads one word, ADD the other
            (WRITES, 10),      // ADD writes it back
            (READ_MISSES, 1),  // both words are in one line
            (WRITE_MISSES, 0), // ADD has just read what it writes
            (WRITES_TO_OWN_LINES, 10),
            (ACCESSES, 30),
            (MISSES, 1),
            (WRITE_BACKS, 0), // the line stays in L1D
            (BRANCHES, 10),   // the last is not taken, and counts
            (DATA_TLB_MISSES, 1),
            (UNCACHED_READS, 0),
            (LOCKED_CYCLES, 0),
            (PORT_CYCLES, 0),
            (INTERRUPTS, 0),
            (SNOOPS, 0), // nothing snoops a core of the SCC
        ],
    );
}

/// Two passes over a kilobyte: the second finds all lines in L1D.
#[test]
fn two_passes() {
    let program: Program = |a| {
        let [mut pass, mut line] = [(); 2].map(|()| a.create_label());
        a.mov(ebp, 2u32)?;
        a.set_label(&mut pass)?;
        a.xor(esi, esi)?;
        a.set_label(&mut line)?;
        a.mov(eax, dword_ptr(ebx + esi))?;
        a.add(esi, 32)?;
        a.cmp(esi, 1024)?;
        a.jb(line)?;
        a.dec(ebp)?;
        a.jne(pass)
    };
    check(
        program,
        &[
            (READS, 2 * 32),
            (READ_MISSES, 32), // 1,024 bytes are 32 lines; the second pass hits
            (INSTRUCTIONS, FRAME + 1 + 2 * (1 + 32 * 4 + 2)),
            (BRANCHES, 2 * 32 + 2),
            (DATA_TLB_MISSES, 1), // all in one page
            (WRITE_BACKS, 0),
        ],
    );
}

/// A write that misses allocates no line: each one goes to memory separately.
#[test]
fn writes_go_around_the_cache() {
    let program: Program = |a| {
        let mut again = a.create_label();
        a.mov(ebp, 8u32)?;
        a.set_label(&mut again)?;
        a.mov(dword_ptr(ebx), ebp)?;
        a.dec(ebp)?;
        a.jne(again)?;
        a.mov(eax, dword_ptr(ebx))?;
        a.mov(dword_ptr(ebx), eax)
    };
    check(
        program,
        &[
            (WRITES, 9),
            (WRITE_MISSES, 8), // all but the one behind the read
            (READ_MISSES, 1),  // the read brings the line
            (WRITES_TO_OWN_LINES, 1),
            (READS, 1),
            (MISSES, 9),
        ],
    );
}

/// Five lines that share a set of four ways, each read and written.
#[test]
fn a_set_overflows() {
    let program: Program = |a| {
        for line in 0..5 {
            a.mov(eax, dword_ptr(ebx + 4096 * line))?;
            a.mov(dword_ptr(ebx + 4096 * line), eax)?;
        }
        Ok(())
    };
    check(
        program,
        &[
            (READS, 5),
            (READ_MISSES, 5),
            (WRITES, 5),
            (WRITES_TO_OWN_LINES, 5),
            (WRITE_BACKS, 1),     // the fifth line displaces a dirty one
            (DATA_TLB_MISSES, 5), // the lines are 4 KB apart: five pages
        ],
    );
}

/// Reads of 64 pages, as many as the data TLB holds.
#[test]
fn the_tlb_is_filled_once() {
    let program: Program = |a| {
        let [mut pass, mut page] = [(); 2].map(|()| a.create_label());
        a.mov(ebp, 3u32)?;
        a.set_label(&mut pass)?;
        a.xor(esi, esi)?;
        a.set_label(&mut page)?;
        a.mov(eax, dword_ptr(ebx + esi))?;
        a.add(esi, 4096)?;
        a.cmp(esi, 64 << 12)?;
        a.jb(page)?;
        a.dec(ebp)?;
        a.jne(pass)
    };
    // Page walks read through the caches, but do not count as reads of the program.
    check(program, &[(DATA_TLB_MISSES, 64), (READS, 3 * 64)]);
}

/// LOCK# and XCHG with memory take one locked cycle each.
#[test]
fn locked_instructions() {
    let program: Program = |a| {
        a.lock().inc(dword_ptr(ebx))?;
        a.xchg(dword_ptr(ebx), eax)?;
        a.lock().cmpxchg(dword_ptr(ebx), ecx)?;
        a.inc(dword_ptr(ebx))
    };
    check(
        program,
        &[
            (LOCKED_CYCLES, 3),
            (READS, 4),
            (WRITES, 4),       // CMPXCHG writes, whether it exchanges or not
            (READ_MISSES, 4),  // locked reads skip L1D; the last finds the line in L2 only
            (WRITE_MISSES, 3), // locked writes skip it too
            (INSTRUCTIONS, FRAME + 4),
        ],
    );
}

/// Accesses to words of the configuration registers and of the local APIC, and to ports.
#[test]
fn what_is_not_memory() {
    let program: Program = |a| {
        a.mov(eax, dword_ptr(0xF800_0100u32))?; // TILEID
        a.mov(eax, dword_ptr(0xF800_0100u32))?;
        a.mov(ecx, dword_ptr(RESULT + 64))?; // shared memory, uncached
        a.in_(al, 0x61)?;
        a.out(0x61, al)?;
        a.in_(eax, 0x62)
    };
    check(
        program,
        &[
            (UNCACHED_READS, 3),
            (READS, 3),
            (READ_MISSES, 3), // each of them, every time
            (PORT_CYCLES, 3),
            (WRITES, 0),
            (DATA_TLB_MISSES, 2), // a large page of registers, one of shared memory
        ],
    );
}

/// 16 lines of code, aligned, executed twice.
#[test]
fn straight_code() {
    let program: Program = |a| {
        let mut start = a.create_label();
        a.mov(ebp, 2u32)?;
        a.jmp(start)?;
        // A jump to the next line: it ends at CODE + 76, 8 bytes before that line.
        a.nops_with_size(8)?;
        a.set_label(&mut start)?;
        for _ in 0..16 * 32 - 7 {
            a.nop()?;
        }
        a.dec(ebp)?;
        a.db(&[0x0F, 0x85])?; // JNE near, back to the start
        a.dd(&[(-(16i32 * 32)) as u32])
    };
    check(
        program,
        &[
            // The 16 lines once, and the line behind them, in which the surrounding code continues.
            (CODE_MISSES, 16 + 1),
            (INSTRUCTIONS, FRAME + 2 + 2 * (16 * 32 - 7 + 2)),
            (BRANCHES, 1 + 2),
            (CODE_TLB_MISSES, 0), // the page is the one that the frame is in
        ],
    );
}

/// Jumps into other pages: one TLB miss for each page, at its first entry.
#[test]
fn code_in_other_pages() {
    let program: Program = |a| {
        for page in [0x31_0000u32, 0x31_1000, 0x31_2000] {
            a.mov(byte_ptr(page), 0xC3)?;
        }
        for page in [0x31_0000u32, 0x31_1000, 0x31_2000, 0x31_0000] {
            a.mov(eax, page)?;
            a.call(eax)?;
        }
        Ok(())
    };
    check(
        program,
        &[
            (CODE_TLB_MISSES, 3),
            (BRANCHES, 4 + 4), // CALL and RET
            (WRITES, 3 + 4),   // the three bytes, four return addresses
            (READS, 4),        // four return addresses
        ],
    );
}

/// Loads of segment registers, and x87 instructions.
#[test]
fn segments_and_floating_point() {
    let program: Program = |a| {
        a.mov(ax, 0x10)?;
        a.mov(es, ax)?;
        a.push(es)?;
        a.pop(ds)?;
        a.fninit()?;
        a.fld1()?;
        a.fldpi()?;
        a.fadd_2(st0, st1)?;
        a.fmul_2(st0, st1)?;
        a.fsqrt()?;
        a.fdivp(st1, st0)?;
        a.fstp(st0)
    };
    check(
        program,
        &[
            (SEGMENT_LOADS, 2),  // MOV to ES, POP DS
            (FLOATING_POINT, 4), // FADD, FMUL, FSQRT, FDIVP; loads and stores are none
            (INSTRUCTIONS, FRAME + 12),
        ],
    );
}

/// The core raises its own INTR pin in GLCFG five times; the handler lowers it each time.
#[test]
fn interrupts_of_the_core_itself() {
    let program: Program = |a| {
        let mut again = a.create_label();
        a.mov(dword_ptr(0xFEE0_00F0u32), 0x1FF)?;
        a.mov(dword_ptr(0xFEE0_0350u32), u32::from(VECTOR))?;
        a.sti()?;
        a.mov(ebp, 5u32)?;
        a.set_label(&mut again)?;
        a.mov(dword_ptr(0xF800_0010u32), 0xDFA)?;
        a.nop()?;
        a.dec(ebp)?;
        a.jne(again)?;
        a.cli()
    };
    check(
        program,
        &[
            (INTERRUPTS, 5),
            // Four before, four times five in the loop, CLI; and the handler's three, five times.
            (INSTRUCTIONS, FRAME + 4 + 5 * 4 + 1 + 5 * 3),
            (BRANCHES, 5 + 5), // JNE, IRET; an interrupt itself is no branch
        ],
    );
}
