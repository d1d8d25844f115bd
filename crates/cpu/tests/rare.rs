//! Instructions that compilers seldom use, in hot loops: compares translated code with the
//! interpreter after any number of clocks, at any wait, and when windows are rolled back.
#![cfg(target_arch = "x86_64")]

use crate::common;

use common::ends::{cases, end_alike, end_alike_whoever_answers, wait_alike};
use common::{
    Bench, CACHE_DISABLE, CODE, CODE0, GDT, IDT, PMB, PRESENT, STACK, USER, WRITABLE, WRITE_THROUGH,
};
use proptest::prelude::*;
use rockcreek_cpu::{CodeCache, gpr};

/// Operands are at this address and in the pages after it.
const DATA: u32 = 0x2_0000;
const COUNT: u32 = DATA - 64;
/// The handler of the timer's interrupt, and the address of its count.
const HANDLER: u32 = 0x6800;
const INTERRUPTS: u32 = DATA - 128;
const TIMER_VECTOR: u32 = 0x40;
/// A selector.
const NARROW: u16 = 0x33;
const APIC: u32 = 0xFEE0_0000;

/// The address of an element: often aligned, in one of several pages that share one set of L1D.
fn place(near: u8, which: u8) -> u32 {
    let page = 0x1000 * u32::from(which >> 5);
    let skew = if which & 0x18 == 0x18 { which & 3 } else { 0 };
    DATA + 0x100 + page + 4 * u32::from(near) + u32::from(skew)
}

/// mov esi or edi, a place
fn point(register: u8, near: u8, which: u8) -> Vec<u8> {
    [vec![0xB8 | register], place(near, which).to_le_bytes().to_vec()].concat()
}

/// A string instruction that is not repeated, perhaps with prefixes.
fn element(what: u8, how: u8) -> Vec<u8> {
    let prefix: &[u8] = match how >> 4 {
        0 => &[0x66],
        1 => &[0x36],
        2 => &[0x26, 0x66],
        3 => &[0x64],
        4 => &[0x2E],
        _ => &[],
    };
    let opcodes = [0xA4, 0xA5, 0xAA, 0xAB, 0xAC, 0xAD, 0xAE, 0xAF, 0xA6, 0xA7, 0xA5, 0xAD];
    [prefix, &[opcodes[usize::from(what) % opcodes.len()]]].concat()
}

/// LOOP, LOOPE, LOOPNE or JECXZ over the next instruction; now and then they count CX.
fn count_over(how: u8, a: u8) -> Vec<u8> {
    let short = if how >> 3 == 5 { vec![0x67] } else { vec![] };
    [short, vec![0xE0 | how & 3, 1, 0x40 | a]].concat()
}

/// Up to eight rounds of string elements; LOOPE and LOOPNE may end them earlier.
fn counted([how, near, which]: [u8; 3]) -> Vec<u8> {
    let mut code = [point(6, near, which), point(7, which, near)].concat();
    code.extend([0x83, 0xE1, 0x07, 0x41]); // and ecx, 7; inc ecx
    let begin = code.len();
    for n in 0..how & 3 {
        code.extend(element(how >> n, near << n));
    }
    code.extend([0x38, 0xD8]); // cmp al, bl
    code.push([0xE0, 0xE1, 0xE2][usize::from(how >> 4) % 3]);
    code.push((begin as i32 - code.len() as i32 - 1) as u8);
    code
}

/// Loads the flags from a register, except those that change what may be executed.
fn load_flags(a: u8, value: u8) -> Vec<u8> {
    let when = |bit: u8, flag: u32| if value & bit != 0 { flag } else { 0 };
    let trap = if value & 0x1E == 0x1E { 0x100 } else { 0 };
    let mask = 0x8D5 | when(1, 0x400) | when(2, 0x200) | when(4, 0x4_0000) | when(8, 0x20_0000);
    let mut code = vec![0x50 | a, 0x81, 0x24, 0x24]; // push; and dword [esp], ...
    code.extend((mask | trap).to_le_bytes());
    code.extend([0x81, 0x0C, 0x24]); // or dword [esp], IOPL and often IF
    code.extend((0x3000 | if value & 0x20 != 0 { 0x200 } else { 0u32 }).to_le_bytes());
    code.push(0x9D);
    code
}

/// One instruction, or a few. `ring0`: the choice includes instructions of system software.
fn instruction([what, how, near, which]: [u8; 4], ring0: bool) -> Vec<u8> {
    let a = [0, 1, 2, 3][usize::from(how & 3)];
    let at = |opcode: &[u8], digit: u8| {
        [opcode, &[0x05 | digit << 3], &place(near, which).to_le_bytes()].concat()
    };
    match what % 58 {
        0..=3 => count_over(how, a),
        4..=8 => counted([how, near, which]),
        9..=16 => element(near, how),
        17..=18 => point(6, near, which),
        19..=20 => point(7, near, which),
        21 => vec![if how < 40 { 0xFD } else { 0xFC }], // std, cld
        22..=23 => vec![0x9C, 0x58 | a],                // pushf; pop
        24 => vec![0x66, 0x9C, 0x66, 0x9D],             // pushfw; popfw
        25..=26 => load_flags(a, near),
        27 => vec![0x9C, 0xFA, 0x40 | a, 0x9D], // pushf; cli; inc; popf
        28 => vec![0xFA, 0x40 | a, 0xFB],       // cli; inc; sti
        29 => vec![[0xFA, 0xFB, 0x9F, 0x9E][usize::from(how & 3)]],
        30 => vec![0xC8, near & 0x7C, 0, how & 1, 0xC9], // enter; leave
        31 => [vec![0xBB], DATA.to_le_bytes().to_vec(), vec![0xD7]].concat(), // mov ebx; xlat
        32 => [vec![0xD4, 10], vec![0xD5, 10], vec![0x27], vec![0x2F], vec![0x37], vec![0x3F]]
            [usize::from(how % 6)]
        .clone(),
        33 => {
            at(&[[0x0F, 0xB0], [0x0F, 0xB1], [0x0F, 0xC0], [0x0F, 0xC1]][usize::from(how >> 6)], a)
        }
        34 => at(&[0xF0, 0x0F, 0xC1], a), // lock xadd
        35 => at(&[0x87], a),             // xchg
        36 => [vec![0x0F, 0xA2], vec![0x0F, 0x31], vec![0x60, 0x61], vec![0x66, 0xF7, 0xE1]]
            [usize::from(how & 3)]
        .clone(),
        37 => segments(how, a),
        38 => at(&[0x62], a), // bound
        39 => at(&[0x8B], a),
        40 => at(&[0x89], a),
        41 => at(&[0x01], a),
        42 => vec![0x0F, 0xAF, 0xC0 | a << 3 | how >> 6],
        // fld1; fdiv st, st(0); fstp qword [...]
        43 => [vec![0xD9, 0xE8, 0xD8, 0xF0], at(&[0xDD], 3)].concat(),
        44 => [vec![0xD9, 0xE8, 0xD8, 0xF0], element(near, how), vec![0xDD, 0xD8]].concat(),
        45 => vec![0x38, 0xD8 | how & 7, 0x70 | near & 15, 1, 0x40 | a],
        46 if ring0 => privileged(how, near),
        47..=50 => in_registers(how, near),
        // Shifts and rotations of memory, in all sizes, by one, a number or CL; NEG and NOT.
        51..=53 => {
            let prefix: &[u8] = if how >> 6 == 3 { &[0x66] } else { &[] };
            let opcode = [0xC1, 0xD1, 0xD3, 0xC0, 0xD2, 0xC1][usize::from(how >> 2 & 7) % 6];
            let number = if opcode & 0xD0 == 0xC0 { vec![how] } else { vec![] };
            [prefix, &at(&[opcode], near & 7), &number].concat()
        }
        54 => at(&[0xF6 | how & 1], 2 | how >> 1 & 1),
        55 => at(&[0x66, 0xF7], 2 | how & 1),
        56 => at(&[0x66, 0x0F, 0xB1 | how & 0x10], a),
        _ => vec![0x01, 0xC0 | a << 3 | how >> 6],
    }
}

/// Loads of segment registers, sometimes with a segment that is not flat.
fn segments(how: u8, a: u8) -> Vec<u8> {
    let narrow = |to: u8| vec![0x66, 0xB8, NARROW as u8, 0, 0x8E, 0xC0 | to << 3];
    match how >> 2 & 15 {
        0..=2 => vec![0x1E, 0x07],                    // push ds; pop es
        3..=5 => vec![0x8C, 0xD8, 0x8E, 0xC0],        // mov eax, ds; mov es, eax
        6..=7 => vec![0x16, 0x1F],                    // push ss; pop ds
        8 => vec![0x0E, 0x58 | a],                    // push cs; pop
        9 => vec![0x1E, 0x0F, 0xA1],                  // push ds; pop fs
        10 => vec![0x1E, 0x0F, 0xA9],                 // push ds; pop gs
        11 => narrow(0),                              // mov es
        12 => [narrow(3), vec![0x16, 0x1F]].concat(), // mov ds; push ss; pop ds
        13 => vec![0x31, 0xC0, 0x8E, 0xC0],           // xor eax, eax; mov es, eax
        _ => vec![0x16, 0x07],                        // push ss; pop es
    }
}

/// An instruction that uses only registers and flags.
fn in_registers(how: u8, near: u8) -> Vec<u8> {
    let two = 0xC0 | (near & 7) << 3 | how >> 6;
    let [a, b] = [near & 3, near >> 2 & 3];
    let wide = 0xC0 | a << 3 | b;
    match how % 32 {
        0 => vec![0x66, 0x98],
        1 => vec![0x66, 0x99],
        2 => vec![0xD6],
        3..=6 => vec![0xC0, two, how],
        7..=9 => vec![0x66, 0xC1, two, near],
        10..=11 => vec![0xD2, two],
        12..=13 => vec![0x66, 0xD3, two],
        14 => vec![0xC1, 0xD0 | how >> 2 & 8 | a, near],
        15 => vec![0xD1, 0xD0 | how >> 2 & 8 | a],
        16 => vec![0xD3, 0xD0 | how >> 2 & 8 | a],
        17 => vec![0x86, two],
        18 => vec![0x66, 0x87, wide],
        19 => vec![0x0F, 0xC0, two],
        20 => vec![0x0F, 0xC1, wide],
        21 => vec![0x66, 0x0F, 0xB1, wide],
        22 => vec![0x0F, 0xB0, two],
        23 => vec![0x66, 0x0F, 0xBC | how >> 5 & 1, wide],
        24 => vec![0x66, 0x0F, 0xBA, 0xE0 | how >> 2 & 0x18 | a, near],
        25 => vec![0x66, 0x0F, 0xA4 | how >> 2 & 8, wide, near],
        26 => vec![0x66, 0x0F, 0xA5 | how >> 2 & 8, wide],
        27 => vec![0x66, 0x8D, 0x44 | a << 3 & 0x18, 0x0B, near],
        28 => vec![0x66, 0x0F, 0xB6 | how >> 2 & 8, wide],
        29 => vec![0x8C, 0xC0 | [0x18, 0x20, 0x10, 0x00][usize::from(b)] | a],
        30 => vec![0x0F, 0xC7, 0x0D, 0, 4, 2, 0], // cmpxchg8b [DATA + 400h]
        _ => vec![0x9F],
    }
}

/// An instruction that only ring 0 may execute.
fn privileged(how: u8, near: u8) -> Vec<u8> {
    let here = DATA.to_le_bytes();
    match how % 12 {
        0 => vec![0x0F, 0x20, 0xC0, 0x0F, 0x22, 0xC0], // mov eax, cr0; mov cr0, eax
        1 => vec![0x0F, 0x20, 0xD8, 0x0F, 0x22, 0xD8], // mov eax, cr3; mov cr3, eax
        2 => [&[0x0F, 0x01, 0x3D], &here[..]].concat(), // invlpg
        3 => vec![0x0F, 0x09],                         // wbinvd
        4 => vec![0xE4, near],                         // in al
        5 => vec![0xE6, near],                         // out al
        // mov ecx, 11h..13h; rdmsr
        6 => vec![0xB9, 0x11 + near % 3, 0, 0, 0, 0x0F, 0x32],
        7 => vec![0x0F, 0x06],                         // clts
        8 => vec![0x0F, 0x20, 0xC0, 0x0F, 0x01, 0xF0], // mov eax, cr0; lmsw ax
        9 => vec![0x16, 0x17],                         // push ss; pop ss
        10 => vec![0x0F, 0x21, 0xC8],                  // mov eax, dr1
        _ => [&[0x0F, 0x01, 0x0D], &here[..], &[0x0F, 0x01, 0x1D], &here[..]].concat(), // sidt; lidt
    }
}

/// How a loop is executed.
#[derive(Clone, Debug)]
struct Loop {
    choices: Vec<[u8; 4]>,
    rounds: u8,
    paged: bool,
    user: bool,
    /// Clocks between two timer interrupts; 0: no interrupts.
    period: u32,
}

fn loops() -> impl Strategy<Value = Loop> {
    let choices = prop::collection::vec(any::<[u8; 4]>(), 1..24);
    let period = prop_oneof![Just(0), 100..2000u32];
    (choices, 2..60u8, any::<bool>(), any::<bool>(), period).prop_map(
        |(choices, rounds, paged, user, period)| Loop { choices, rounds, paged, user, period },
    )
}

/// mov dword [address], value
fn set(address: u32, value: u32) -> Vec<u8> {
    [vec![0xC7, 0x05], address.to_le_bytes().to_vec(), value.to_le_bytes().to_vec()].concat()
}

fn program(of: &Loop) -> Vec<u8> {
    let ring0 = !of.user;
    let mut body: Vec<u8> =
        of.choices.iter().flat_map(|&choice| instruction(choice, ring0)).collect();
    body.extend([0xFF, 0x0D]); // dec dword [COUNT]; jnz
    body.extend(COUNT.to_le_bytes());
    let back = -(body.len() as i32 + 6);
    body.extend([0x0F, 0x85]);
    body.extend(back.to_le_bytes());
    body.push(0xF4);
    let mut code = [vec![], vec![0xDB, 0xE3]][usize::from(of.rounds & 1)].clone();
    if of.period > 0 && ring0 && !of.paged {
        for (register, value) in
            [(0xF0, 0x1FF), (0x3E0, 0xB), (0x320, 0x2_0000 | TIMER_VECTOR), (0x380, of.period)]
        {
            code.extend(set(APIC + register, value));
        }
        code.push(0xFB);
    }
    code.extend(set(COUNT, u32::from(of.rounds)));
    code.extend(body);
    code
}

fn bench(of: &Loop, heat: Option<u8>) -> Bench {
    let code = program(of);
    let mut bench = if of.paged { Bench::paged(&code) } else { Bench::protected(&code) };
    bench.code = CodeCache::new();
    bench.code.set_translation(heat);
    // inc dword [INTERRUPTS]; mov dword [EOI], 0; iret
    let counts = [vec![0xFF, 0x05], INTERRUPTS.to_le_bytes().to_vec()].concat();
    bench.put(HANDLER, &[counts, set(APIC + 0xB0, 0), vec![0xCF]].concat());
    bench.put_word(IDT + 8 * TIMER_VECTOR, u32::from(CODE0) << 16 | HANDLER);
    if of.user {
        bench.enter_user();
    }
    // 1 MB from 1000h on.
    bench.put_word(GDT + u32::from(NARROW & !7), 0x1000_00FF);
    bench.put_word(GDT + u32::from(NARROW & !7) + 4, 0x00C0_F200);
    bench.set(|all| all.gdtr.limit = NARROW | 7);
    for n in 0..256u32 {
        bench.put_word(DATA + 4 * n, n.wrapping_mul(0x9E37_79B9));
    }
    bench.set(|all| {
        all.general = [1, 5, 0x8000_0000, DATA, STACK, STACK, DATA, DATA + 0x800];
        all.general[gpr::ESP] = STACK;
        // IOPL 3: CLI and STI are allowed in ring 3 too.
        all.eflags |= 0x3000;
        all.eip = CODE;
    });
    bench
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]
    #[test]
    fn any_loop_ends_in_the_same_state(of in loops(), cut in 1..20_000u64) {
        end_alike(|heat| bench(&of, heat), cut, 300_000)?;
    }

    /// Any loop, stopped at a transaction within an instruction.
    #[test]
    fn any_loop_waits_in_the_same_state(of in loops(), number in 0..200u32) {
        wait_alike(|heat| bench(&of, heat), number)?;
    }

    /// Any loop ends in an equal state whether transactions end a run or not, and whatever the
    /// memory type of the page.
    #[test]
    fn any_loop_ends_in_the_same_state_whoever_answers(
        of in loops(),
        of_type in prop::sample::select(vec![
            0, WRITE_THROUGH, CACHE_DISABLE, PMB, PMB | WRITE_THROUGH
        ]),
        random in any::<u64>(),
    ) {
        let of = Loop { paged: true, ..of };
        let to = |heat| {
            let mut bench = bench(&of, heat);
            bench.map(DATA, PRESENT | WRITABLE | USER | of_type);
            bench
        };
        end_alike_whoever_answers(to, random)?;
    }
}

/// A stay in translated code ends before its packed counts overflow, however many of its
/// instructions the interpreter executes in it.
#[test]
fn loops_of_instructions_by_the_interpreter_are_counted() {
    let kinds: [&[u8]; 6] = [
        &[0xD7],                   // xlat
        &[0x0F, 0xA4, 0x06, 3],    // shld [esi], eax, 3
        &[0x60, 0x61],             // pusha; popa
        &[0x9C, 0x9D],             // pushf; popf
        &[0x66, 0x0F, 0x02, 0xC0], // lar ax, ax
        &[0x89, 0x46, 0x1E],       // mov [esi + 1Eh], eax
    ];
    for kind in kinds {
        let mut code = kind.repeat(64);
        let back = -(code.len() as i32 + 7);
        code.extend([0x49, 0x0F, 0x85]); // dec ecx; jnz CODE
        code.extend(back.to_le_bytes());
        code.push(0xF4); // hlt
        let counted = [None, Some(1)].map(|heat| {
            let mut bench = Bench::paged(&code);
            bench.code.set_translation(heat);
            bench.set(|all| {
                all.general = [0; 8];
                all.general[gpr::ESP] = STACK;
                all.general[gpr::ECX] = 1500;
                all.general[gpr::ESI] = DATA;
                all.general[gpr::EBX] = DATA;
                all.eip = CODE;
            });
            bench.run_to_halt();
            bench.core.counters()
        });
        assert_eq!(counted[0], counted[1], "{kind:02X?}");
        assert!(counted[1].instructions > 1500 * 64, "{kind:02X?}");
    }
}
