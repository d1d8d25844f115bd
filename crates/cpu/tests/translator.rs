//! Translated code and the interpreter reach equal states, counters and caches at any clock.
#![cfg(target_arch = "x86_64")]

use crate::common;

use common::ends::{End, cases, end_alike_whoever_answers};
use common::{
    BUS_CYCLES, Bench, CACHE_DISABLE, CODE, PMB, PRESENT, STACK, TABLE, USER, WRITABLE,
    WRITE_THROUGH,
};
use proptest::prelude::*;
use rockcreek_cpu::{CodeCache, Exit, gpr};
use rockcreek_defs::{BusRequest, Pins};

/// The address around which operands lie.
const DATA: u32 = 0x2_0000;

/// One instruction, chosen by bytes for the opcode, the operands and the immediate.
#[expect(clippy::too_many_lines, reason = "a table of instructions")]
fn instruction(choice: [u8; 4]) -> Vec<u8> {
    let [what, how, value, more] = choice;
    let register = |bits: u8| [0, 1, 2, 3, 7][usize::from(bits % 5)];
    // Register, or memory at [esi], [esi + disp8], [esi + ecx... small], [disp32].
    let operand = |reg: u8, memory: bool| -> Vec<u8> {
        let reg = reg << 3;
        match (memory, how >> 5) {
            (false, _) => vec![0xC0 | reg | register(how >> 3)],
            (true, 0..=1) => vec![0x06 | reg],
            (true, 2..=4) => vec![0x46 | reg, value & 0x7C | more & 3 & value],
            (true, 5) => vec![0x04 | reg, 0x2E],
            _ => {
                let mut bytes = vec![0x05 | reg];
                // More pages of one L1 set than it has ways, and of one TLB set.
                let page = [0x1000, 0x1_0000][usize::from(more >> 1 & 1)] * u32::from(more >> 5);
                let near = [36, 8][usize::from(more >> 3 & 1)] * u32::from(value);
                let skew = u32::from(more & 0x15 == 0x15);
                bytes.extend((DATA + near + page + skew).to_le_bytes());
                bytes
            }
        }
    };
    let (memory, a) = (how & 4 != 0, register(how));
    let mut code = vec![];
    if what & 0xC0 == 0xC0 && what & 1 == 1 {
        code.push(0x66);
    }
    match what % 54 {
        n @ 0..=7 => {
            code.push(n << 3 | [1, 3, 0, 2][usize::from(value % 4)]);
            let second = if value % 4 >= 2 { more & 4 } else { 0 };
            code.extend(operand(a & 3 | second, memory));
        }
        8..=10 => {
            code.push(0x83);
            code.extend(operand(more & 7, memory));
            code.push(value);
        }
        11..=13 => {
            code.push([0x89, 0x8B, 0x88, 0x8A][usize::from(value % 4)]);
            let second = if value % 4 >= 2 { more & 4 } else { 0 };
            code.extend(operand(a & 3 | second, memory));
        }
        14 => {
            code.push(0xC6);
            code.extend(operand(0, memory));
            code.push(value);
        }
        15 => code = vec![0x40 | a],
        16 => code = vec![0x48 | a],
        17 => {
            code.push(0xFE | value & 1);
            code.extend(operand(more & 1, memory));
        }
        18..=19 => {
            code.push(0xF6 | value & 1);
            code.extend(operand(2 + (more & 1), memory));
        }
        20..=22 => {
            code.push(0xC1);
            code.extend(operand([0, 1, 4, 5, 7, 2][usize::from(more % 6)], memory && more > 200));
            code.push(value);
        }
        23 => {
            code.push(0xD3);
            code.extend(operand([0, 1, 4, 5, 7][usize::from(more % 5)], false));
        }
        24 => {
            code = vec![0x8D];
            code.extend(operand(a, true));
        }
        25..=26 => {
            code.extend([0x0F, [0xB6, 0xB7, 0xBE, 0xBF][usize::from(value % 4)]]);
            code.extend(operand(a, memory));
        }
        27 => code = vec![0x50 | a, 0x58 | register(value)],
        28 => code = vec![0x6A, value, 0x58 | a],
        29 => code = vec![0x99],
        30 => code = vec![0x98],
        31 => {
            code = vec![0x0F, 0x90 | more & 15];
            code.extend(operand(0, memory && value > 128));
        }
        32..=33 => {
            code.extend([0x0F, 0xAF]);
            code.extend(operand(a, memory));
        }
        34 => {
            code.push(0x6B);
            code.extend(operand(a, memory));
            code.push(value);
        }
        35 => code = vec![0x0F, 0xC8 | a],
        36 => {
            code.push(0x87);
            code.extend(operand(a, false));
        }
        37 => {
            code.push(0x85 & !(value & 1));
            code.extend(operand(a & 3, memory));
        }
        // call $+5; add [esp], 9 + ...; then a jump or a call through the address on the stack
        40 => code = indirect(value, more),
        // MUL, IMUL; DIV after XOR EDX, EDX; IDIV after CDQ.
        41 => {
            code = [vec![], vec![], vec![0x31, 0xD2], vec![0x99]][usize::from(more & 3)].clone();
            code.push(0xF7);
            code.extend(operand(4 + (more & 3), memory));
        }
        42 => {
            let how = more & 3;
            code.extend([0x0F, [0xA4, 0xA5, 0xAC, 0xAD][usize::from(how)]]);
            code.extend(operand(a, false));
            if how & 1 == 0 {
                code.push(value);
            }
        }
        43 => {
            code.extend([0x0F, 0xBC | more & 1]);
            code.extend(operand(a, memory));
        }
        44 => {
            code = vec![0xFF];
            code.extend(operand(6, memory));
            code.push(0x58 | register(value));
        }
        45 => {
            code.push(0xFE | value & 1);
            code.extend(operand(more & 1, memory));
        }
        46 => {
            code = vec![0x0F, 0xB6 | value & 8];
            code.push(0xC0 | a << 3 | more & 7);
        }
        47..=48 => code = repeated([how, value, more]),
        39 => code = vec![0x0F, 0x0A], // cl1invmb
        50 => {
            code.extend([0x0F, 0xBA]);
            code.extend(operand(4 + (more >> 3 & 3), memory));
            code.push(value);
        }
        // A bit string of which bits 0 to 127, or bits before it, are accessed.
        51..=52 => {
            let near = if value & 1 == 0 { [0xE0 | a, 0x7F] } else { [0xC8 | a, 0x80] };
            code = vec![0x83, near[0], near[1], 0x0F, 0xA3 | (more >> 3 & 3) << 3];
            code.extend(operand(a, memory));
        }
        53 => code = vec![[0xF5, 0xF8, 0xF9][usize::from(value % 3)]],
        // A jump over the next instruction, taken or not.
        38 => code = vec![0x70 | more & 15, 0x01, 0x40 | a],
        // A call of the next instruction but one, which returns.
        _ => code = vec![0xE8, 2, 0, 0, 0, 0xEB, 1, 0xC3],
    }
    code
}

/// A repeated string instruction; source and destination are near or far and may overlap.
fn repeated([how, value, more]: [u8; 3]) -> Vec<u8> {
    let place = |bits: u8| DATA + 0x400 + u32::from(bits) * 5 / 2 + 0x1_0000 * u32::from(bits & 1);
    let aligned = if how & 8 == 0 { !3 } else { !0 };
    let mut code = vec![0x56, 0x57, 0xBE]; // push esi; push edi; mov esi, ...
    code.extend((place(value) & aligned).to_le_bytes());
    code.push(0xBF); // mov edi, ...
    code.extend((place(more) & aligned).to_le_bytes());
    code.push(0xB9); // mov ecx, ...
    code.extend(u32::from(how >> 4 | more & 0x30).to_le_bytes());
    if how & 0x90 == 0x90 {
        code.push(0x66);
    }
    code.push(0xF2 | u8::from(value & 4 != 0));
    let load = 0xAC | how & 1;
    code.push([0xA4, 0xA5, 0xAA, 0xAB, 0xA6, 0xA7, 0xAE, 0xAF][usize::from(how & 7)]);
    if more & 0x88 == 0x88 {
        *code.last_mut().expect("an opcode") = load;
    }
    code.extend([0x5F, 0x5E]);
    code
}

/// A jump or a call to the code behind it, through a register or memory.
fn indirect(value: u8, more: u8) -> Vec<u8> {
    let mut code = vec![0xE8, 0, 0, 0, 0, 0x5B]; // call $+5; pop ebx
    let cell = (DATA + 0x200 + 0x1000 * u32::from(more >> 6)).to_le_bytes();
    // lea ebx, [ebx + the distance from the pop to the code behind the transfer]
    match value % 4 {
        0 => code.extend([0x8D, 0x5B, 6, 0xFF, 0xE3]), // jmp ebx
        1 => code.extend([0x8D, 0x5B, 6, 0xFF, 0xD3, 0x58]), // call ebx; pop eax
        n => {
            code.extend([0x8D, 0x5B, 16, 0x89, 0x1D]); // mov [cell], ebx
            code.extend(cell);
            code.extend([0xFF, if n == 2 { 0x25 } else { 0x15 }]); // jmp or call [cell]
            code.extend(cell);
            if n == 3 {
                code.push(0x58);
            }
        }
    }
    code
}

/// A loop around the instructions, counted in memory.
pub fn program(choices: &[[u8; 4]], rounds: u8) -> Vec<u8> {
    let mut body: Vec<u8> = choices.iter().flat_map(|&choice| instruction(choice)).collect();
    // dec dword [DATA - 64]; jnz start
    body.extend([0xFF, 0x0D]);
    body.extend((DATA - 64).to_le_bytes());
    let back = -(body.len() as i32 + 6);
    body.extend([0x0F, 0x85]);
    body.extend(back.to_le_bytes());
    body.push(0xF4);
    // In half of the cases FNINIT comes first, so that the x87's state is predictable.
    let mut code = [vec![], vec![0xDB, 0xE3]][usize::from(rounds & 1)].clone();
    code.extend([0xC7, 0x05]);
    code.extend((DATA - 64).to_le_bytes());
    code.extend(u32::from(rounds).to_le_bytes());
    code.extend(body);
    code
}

pub fn bench(code: &[u8], paged: bool, user: bool, heat: Option<u8>) -> Bench {
    let mut bench = if paged { Bench::paged(code) } else { Bench::protected(code) };
    bench.code = CodeCache::new();
    bench.code.set_translation(heat);
    if user {
        bench.enter_user();
    }
    for n in 0..64u32 {
        bench.put_word(DATA + 4 * n, n.wrapping_mul(0x9E37_79B9));
    }
    bench.set(|all| {
        all.general = [1, 5, 0x8000_0000, 0x1234_5678, STACK, 0, DATA, 0xFFFF];
        all.general[gpr::ESP] = STACK;
        all.eip = CODE;
    });
    bench
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]
    #[test]
    fn any_loop_ends_in_the_same_state(
        choices in prop::collection::vec(any::<[u8; 4]>(), 1..40),
        rounds in 2..60u8,
        paged in any::<bool>(),
        user in any::<bool>(),
        cut in 1..20_000u64,
    ) {
        let code = program(&choices, rounds);
        let cuts = [cut / 3, cut / 2, cut, 1_000_000];
        let to = |heat| End::after(bench(&code, paged, user, heat), &cuts);
        let (interpreted, translated) = (to(None), to(Some(1)));
        prop_assert_eq!(interpreted.seen, translated.seen);
        prop_assert!(interpreted.snapshot == translated.snapshot, "TLBs, caches or flags differ");
    }

    /// Any loop, stopped at a transaction within an instruction.
    #[test]
    fn any_loop_waits_in_the_same_state(
        choices in prop::collection::vec(any::<[u8; 4]>(), 1..40),
        rounds in 2..60u8,
        paged in any::<bool>(),
        user in any::<bool>(),
        number in 0..300u32,
    ) {
        let code = program(&choices, rounds);
        let to = |heat| End::at_transaction(bench(&code, paged, user, heat), number);
        let (interpreted, translated) = (to(None), to(Some(1)));
        prop_assert_eq!(interpreted.seen, translated.seen);
        prop_assert!(interpreted.snapshot == translated.snapshot, "pipes, TLBs or caches differ");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]
    /// Any loop ends in one state, whether transactions end a run or not, on any type of page.
    #[test]
    fn any_loop_ends_in_the_same_state_whoever_answers(
        choices in prop::collection::vec(any::<[u8; 4]>(), 1..40),
        rounds in 2..60u8,
        user in any::<bool>(),
        of_type in prop::sample::select(vec![
            0, WRITE_THROUGH, CACHE_DISABLE, PMB, PMB | WRITE_THROUGH
        ]),
        random in any::<u64>(),
    ) {
        let code = program(&choices, rounds);
        let to = |heat| {
            let mut bench = bench(&code, true, user, heat);
            bench.map(DATA, PRESENT | WRITABLE | USER | of_type);
            bench
        };
        end_alike_whoever_answers(to, random)?;
    }
}

/// Loads, stores and read-modify-writes across a megabyte: pages and lines that no TLB and no cache
/// holds, with dirty lines to evict.
#[test]
fn accesses_that_miss_everything_end_in_the_same_state() {
    let place = |then: &[u8]| {
        let mut code = vec![0x69, 0xC0, 0x6D, 0x4E, 0xC6, 0x41]; // imul eax, eax, 41C64E6Dh
        code.extend([0x05, 0x39, 0x30, 0, 0]); // add eax, 12345
        code.extend([0x89, 0xC3, 0xC1, 0xEB, 0x09]); // mov ebx, eax; shr ebx, 9
        code.extend([0x81, 0xE3, 0xFC, 0xFF, 0x0F, 0]); // and ebx, FFFFCh
        for access in then.chunks(2) {
            code.extend(access);
            code.extend(0x10_0000u32.to_le_bytes());
        }
        code
    };
    // mov edx, [ebx + 100000h]; add [ebx + 100000h], eax; at another address xor edx, [ebx +
    // 100000h]; mov [ebx + 100000h], edx; at a third mov [ebx + 100000h], eax; dec edi; jnz; hlt
    let mut code = [place(&[0x8B, 0x93, 0x01, 0x83]), place(&[0x33, 0x93, 0x89, 0x93])].concat();
    code.extend(place(&[0x89, 0x83]));
    code.extend([0x4F, 0x0F, 0x85]);
    code.extend((-(code.len() as i32 + 4)).to_le_bytes());
    code.push(0xF4);
    let to = |heat, at_once| {
        let mut bench = bench(&code, true, true, heat);
        bench.set(|all| all.general[gpr::EDI] = 20_000);
        // Some pages have another memory type.
        for (n, bits) in [WRITE_THROUGH, CACHE_DISABLE, PMB].repeat(16).into_iter().enumerate() {
            bench.map(0x10_0000 + 0x5000 * n as u32, PRESENT | WRITABLE | USER | bits);
        }
        bench.at_once = at_once;
        End::after(bench, &[1_000_000, 3_000_000, u64::MAX])
    };
    let plain = to(None, None);
    for (heat, at_once) in
        [(None, Some(1)), (Some(1), None), (Some(1), Some(1)), (Some(1), Some(2))]
    {
        let other = to(heat, at_once);
        assert_eq!(plain.seen, other.seen);
        assert!(plain.snapshot == other.snapshot, "TLBs, caches or flags differ");
    }
}

/// A copy within L2 between lines and pages of the same sets: its stores bypass L1D.
#[test]
fn a_copy_that_takes_turns_ends_in_the_same_state() {
    let code = [
        0x8B, 0x83, 0x00, 0x00, 0x20, 0x00, // read: mov eax, [ebx + 200000h]
        0x83, 0xC3, 0x20, // add ebx, 32
        0x81, 0xFB, 0x00, 0x80, 0x00, 0x00, // cmp ebx, 8000h
        0x75, 0xEF, // jne read
        0xBF, 0x03, 0x00, 0x00, 0x00, // mov edi, 3
        0x31, 0xDB, // round: xor ebx, ebx
        0x8B, 0x83, 0x00, 0x00, 0x10, 0x00, // copy: mov eax, [ebx + 100000h]
        0x01, 0xF8, // add eax, edi
        0x89, 0x83, 0x00, 0x00, 0x20, 0x00, // mov [ebx + 200000h], eax
        0x83, 0xC3, 0x04, // add ebx, 4
        0x81, 0xFB, 0x00, 0x80, 0x00, 0x00, // cmp ebx, 8000h
        0x75, 0xE7, // jne copy
        0x4F, // dec edi
        0x75, 0xE2, // jnz round
        0xF4, // hlt
    ];
    for cuts in [vec![u64::MAX], (1..60).map(|n| 9_973 * n).chain([u64::MAX]).collect()] {
        let to = |heat| {
            let mut bench = bench(&code, true, true, heat);
            bench.set(|all| all.general[gpr::EBX] = 0);
            bench.at_once = Some(1);
            End::after(bench, &cuts)
        };
        let (interpreted, translated) = (to(None), to(Some(1)));
        assert_eq!(interpreted.seen, translated.seen);
        assert!(interpreted.snapshot == translated.snapshot, "TLBs, caches or flags differ");
    }
}

/// Lines of pages of one TLB set, each used several times in a row; then more pages than ways.
#[test]
fn lines_whose_pages_take_turns_end_in_the_same_state() {
    // add [ebx + line of page], edi; mov eax, [the same]; xor eax, [the same]
    let uses = |page: u32| {
        let place = (0x10_0000 + 0x1_0040 * page).to_le_bytes();
        let access = |opcode: &[u8]| [opcode, &place].concat();
        [access(&[0x01, 0xBB]), access(&[0x8B, 0x83]), access(&[0x33, 0x83])].concat()
    };
    let mut code = [0, 1, 0, 1, 0, 1].map(uses).concat();
    // test edi, 7; jnz over the others
    code.extend([0xF7, 0xC7, 7, 0, 0, 0, 0x0F, 0x85]);
    let others = [2, 3, 4, 5, 0, 1].map(uses).concat();
    code.extend((others.len() as i32).to_le_bytes());
    code.extend(others);
    // xor bl, 4; dec edi; jnz; hlt
    code.extend([0x80, 0xF3, 0x04, 0x4F, 0x0F, 0x85]);
    code.extend((-(code.len() as i32 + 4)).to_le_bytes());
    code.push(0xF4);
    for cuts in [vec![u64::MAX], (1..60).map(|n| 997 * n).chain([u64::MAX]).collect()] {
        let to = |heat| {
            let mut bench = bench(&code, true, true, heat);
            bench.set(|all| (all.general[gpr::EBX], all.general[gpr::EDI]) = (0, 500));
            bench.at_once = Some(1);
            End::after(bench, &cuts)
        };
        let (interpreted, translated) = (to(None), to(Some(1)));
        assert_eq!(interpreted.seen, translated.seen);
        assert!(interpreted.snapshot == translated.snapshot, "TLBs, caches or flags differ");
    }
}

/// The first instruction of each block is a store that misses and waits: the bank that it will
/// record is not part of the state yet.
#[test]
fn a_waiting_store_has_noted_no_bank() {
    let code = [
        0xB9, 0x28, 0x00, 0x00, 0x00, // mov ecx, 40
        0x89, 0x46, 0x1C, // l: mov [esi+1Ch], eax
        0x89, 0x56, 0x24, // mov [esi+24h], edx
        0x49, // dec ecx
        0x75, 0xF7, // jnz l
        0xF4, // hlt
    ];
    let to = |heat, number| End::at_transaction(bench(&code, false, false, heat), number);
    for number in 0..40 {
        let (interpreted, translated) = (to(None, number), to(Some(1), number));
        assert_eq!(interpreted.seen, translated.seen);
        assert!(interpreted.snapshot == translated.snapshot, "transaction {number}");
    }
}

/// Stores, a push and a load wait in translated code, and meanwhile the test changes the core.
#[test]
fn what_touches_a_core_that_waits_shows_behind_the_wait() {
    let code = [
        0xDB, 0xE3, // fninit
        0x89, 0x46, 0x1C, // l: mov [esi+1Ch], eax
        0x88, 0x66, 0x25, // mov [esi+25h], ah
        0x8B, 0x9E, 0x20, 0x20, 0x00, 0x00, // mov ebx, [esi+2020h]
        0x83, 0xC6, 0x20, // add esi, 32
        0x83, 0xEC, 0x1C, // sub esp, 28
        0x51, // push ecx
        0x49, // dec ecx
        0x75, 0xEA, // jnz l
        0xF4, // hlt
    ];
    let benches = [None, Some(1)].map(|heat| {
        let mut bench = bench(&code, true, false, heat);
        bench.set(|all| (all.general[gpr::ECX], all.general[gpr::ESP]) = (400, DATA - 64));
        bench
    });
    touch_where_both_wait(benches, 800);
}

/// Messages: loads of their lines, and stores that fill the write-combine buffer or evict a line
/// from it, from two pages of one TLB set.
#[test]
fn what_touches_a_core_that_sends_messages_shows_behind_the_wait() {
    let code = [
        0xDB, 0xE3, // fninit
        0x0F, 0x0A, // l: cl1invmb
        0x8B, 0x1E, // mov ebx, [esi]
        0x8B, 0x56, 0x04, // mov edx, [esi + 4]
        0x89, 0x07, // mov [edi], eax
        0x89, 0x4F, 0x04, // mov [edi + 4], ecx
        0x66, 0x89, 0x4F, 0x08, // mov [edi + 8], cx
        0x88, 0x4F, 0x0A, // mov [edi + 0Ah], cl
        0x88, 0x6F, 0x0B, // mov [edi + 0Bh], ch
        0x89, 0x5F, 0x0C, // mov [edi + 0Ch], ebx
        0xC7, 0x47, 0x10, 5, 0, 0, 0, // mov dword [edi + 10h], 5
        0x89, 0x57, 0x14, // mov [edi + 14h], edx
        0x89, 0x4F, 0x18, // mov [edi + 18h], ecx
        0x89, 0x4F, 0x1C, // mov [edi + 1Ch], ecx
        0x01, 0xD8, // add eax, ebx
        0x89, 0x46, 0x40, // mov [esi + 40h], eax
        0x83, 0xC7, 0x20, // add edi, 32
        0x51, // push ecx
        0x49, // dec ecx
        0x75, 0xCB, // jnz l
        0xF4, // hlt
    ];
    for of_type in [PMB | WRITE_THROUGH, PMB] {
        let benches = [None, Some(1)].map(|heat| {
            let mut bench = bench(&code, true, false, heat);
            bench.map(DATA, PRESENT | WRITABLE | of_type);
            bench.map(DATA + 0x1_0000, PRESENT | WRITABLE | of_type);
            bench.set(|all| {
                all.general[gpr::ECX] = 120;
                all.general[gpr::EDI] = DATA + 0x1_0000;
            });
            bench
        });
        touch_where_both_wait(benches, 340);
    }
}

/// Repeated stores into one line of the write-combine buffer. Between them the line comes into L1D,
/// through its page or through another page of the same memory.
#[test]
fn a_line_that_is_combined_may_come_into_l1d_meanwhile() {
    let (messages, alias) = (DATA + 0x1_0000, DATA + 0x2_8000);
    let mut code = vec![
        0x89, 0x0C, 0x07, // l: mov [edi+eax], ecx
        0x89, 0x4C, 0x07, 0x04, // mov [edi+eax+4], ecx
        0x8B, 0x1C, 0x06, // mov ebx, [esi+eax]
        0x89, 0x4C, 0x07, 0x08, // mov [edi+eax+8], ecx
        0x8B, 0x5C, 0x07, 0x08, // mov ebx, [edi+eax+8]
        0x89, 0x5C, 0x07, 0x10, // mov [edi+eax+10h], ebx
        0x0F, 0x0A, // cl1invmb
        0x89, 0x4C, 0x07, 0x14, // mov [edi+eax+14h], ecx
        0x89, 0x4C, 0x07, 0x18, // mov [edi+eax+18h], ecx
    ];
    for page in 1..=4 {
        code.extend([0x8B, 0x9C, 0x06, 0, page << 4, 0, 0]); // mov ebx, [esi+eax+page]
    }
    code.extend([
        0x89, 0x4C, 0x05, 0x04, // mov [ebp+eax+4], ecx
        0x88, 0x4C, 0x07, 0x1C, // mov [edi+eax+1Ch], cl
        0x66, 0x89, 0x4C, 0x07, 0x1E, // mov [edi+eax+1Eh], cx
        0x83, 0xC0, 0x20, // add eax, 32
        0x25, 0xE0, 0x0F, 0x00, 0x00, // and eax, 0FE0h
        0x49, // dec ecx
        0x0F, 0x85,
    ]);
    code.extend((-(code.len() as i32 + 4)).to_le_bytes()); // jnz l
    code.push(0xF4); // hlt
    for of_type in [PMB | WRITE_THROUGH, PMB] {
        let to = |heat| {
            let mut bench = bench(&code, true, false, heat);
            bench.map(messages, PRESENT | WRITABLE | of_type);
            bench.map(DATA + 0x3_0000, PRESENT | WRITABLE | of_type);
            bench.put_word(TABLE + (alias >> 12) * 4, messages | PRESENT | WRITABLE);
            bench.set(|all| {
                all.general[gpr::EAX] = 0;
                all.general[gpr::ECX] = 1000;
                all.general[gpr::EDI] = messages;
                all.general[gpr::ESI] = alias;
                all.general[gpr::EBP] = DATA + 0x3_0000;
            });
            bench.at_once = Some(1);
            End::after(bench, &[u64::MAX])
        };
        let (interpreted, translated) = (to(None), to(Some(1)));
        assert_eq!(interpreted.seen, translated.seen);
        assert!(interpreted.snapshot == translated.snapshot, "TLBs, caches or buffer differ");
    }
}

/// Checks that both benches wait more than `least` times; changes their cores at each wait.
fn touch_where_both_wait(mut benches: [Bench; 2], least: u32) {
    let (mut waits, mut limit) = (0, u64::MAX);
    loop {
        let exits = benches.each_mut().map(|bench| bench.core.run(&mut bench.code, limit));
        assert_eq!(exits[0], exits[1], "after {waits} waits");
        let [interpreted, translated] = benches.each_ref().map(|bench| bench.core.snapshot());
        assert!(interpreted == translated, "after {waits} waits");
        limit = u64::MAX;
        match exits[0] {
            Exit::Bus(request) => {
                waits += 1;
                for bench in &mut benches {
                    answer_and_touch(bench, &request, waits);
                }
                let soon = benches[0].core.cycles() + u64::from(waits % 4);
                limit = if waits % 5 == 0 { soon } else { u64::MAX };
            }
            Exit::Halted if waits % 16 == 1 => {
                for bench in &mut benches {
                    bench.core.set_pins(Pins::default());
                }
                waits += 1;
            }
            Exit::Limit => {}
            _ => break,
        }
    }
    assert!(waits > least, "{waits} waits");
}

/// Responds to the request and changes the core in one of 16 ways.
fn answer_and_touch(bench: &mut Bench, request: &BusRequest, waits: u32) {
    let response = bench.perform(request);
    match waits % 16 {
        1 => bench.core.set_pins(Pins { stop: true, ..Pins::default() }),
        3 => bench.core.set_pins(Pins { ignne: true, ..Pins::default() }),
        5 => bench.core.record_commits(true),
        7 => bench.core.record_commits(false),
        9 => bench.core = bench.core.clone(),
        11 => bench.core.begin_window(),
        _ => {}
    }
    bench.core.complete(bench.core.cycles() + BUS_CYCLES, &response);
    match waits % 16 {
        13 => bench.core.caches_mut().set_l2_enabled(waits & 16 == 0),
        15 => {
            bench.core.begin_window();
            bench.core.run(&mut bench.code, u64::MAX);
            bench.core.rollback();
        }
        _ => {}
    }
}

/// In each round the first instruction of translated code waits, and the second could pair with it.
#[test]
fn where_an_instruction_waits_the_state_is_the_same() {
    // At the end of a line RDTSC, which the interpreter executes. In the next line: mov eax, [esi +
    // 14h]; mov ebx, [esi + 18h]; add esi, 32; dec ecx; jnz back to rdtsc; hlt
    let mut code = vec![0x90; 30];
    code.extend([0x0F, 0x31, 0x8B, 0x46, 0x14, 0x8B, 0x5E, 0x18]);
    code.extend([0x83, 0xC6, 32, 0x49, 0x75, 0xF2, 0xF4]);
    let mut benches = [None, Some(1)].map(|heat| {
        let mut bench = Bench::paged(&code);
        bench.code.set_translation(heat);
        bench.set(|all| {
            all.general = [0, 20, 0, 0, STACK, 0, DATA, 0];
            all.general[gpr::ESP] = STACK;
            all.eip = CODE;
        });
        bench
    });
    let mut waits = 0;
    loop {
        let exits = benches.each_mut().map(|bench| bench.core.run(&mut bench.code, u64::MAX));
        assert_eq!(exits[0], exits[1]);
        let [interpreted, translated] = benches.each_ref().map(|bench| bench.core.snapshot());
        assert!(interpreted == translated, "after {waits} waits");
        let Exit::Bus(request) = exits[0] else { break };
        waits += 1;
        for bench in &mut benches {
            let response = bench.perform(&request);
            bench.core.complete(bench.core.cycles() + BUS_CYCLES, &response);
            bench.core.begin_window();
        }
    }
    assert!(waits > 20, "{waits}");
}

#[test]
fn a_whole_turn_through_the_carry_makes_of_anew() {
    let code = [
        0xB9, 0x3C, 0x00, 0x00, 0x00, // mov ecx, 60
        0x4A, // l: dec edx, from 80000000: OF
        0x66, 0xC1, 0xD0, 0x11, // rcl ax, 17
        0x7C, 0x01, // jl m
        0x42, // inc edx
        0x49, // m: dec ecx
        0x75, 0xF5, // jnz l
        0xF4, // hlt
    ];
    let ends = [None, Some(1)].map(|heat| End::after(bench(&code, false, false, heat), &[100_000]));
    assert_eq!(ends[0].seen, ends[1].seen);
}

/// Measures how fast a loop runs and checks no result (`cargo test --test translator -- --ignored
/// --nocapture`).
#[test]
#[ignore = "a measurement"]
fn speed() {
    for seed in 0..4u8 {
        let choices: Vec<[u8; 4]> = (0..12u8)
            .map(|n| {
                let k = n.wrapping_mul(37).wrapping_add(seed.wrapping_mul(91));
                [[0, 11, 15, 5, 24, 8, 37, 25, 20, 12, 1, 6][usize::from(n)], k | 64, k & 0x1C, 2]
            })
            .collect();
        let mut code = program(&choices, 255);
        code[6..10].copy_from_slice(&3_000_000u32.to_le_bytes());
        for heat in [None, Some(20)] {
            let mut bench = Bench::paged(&code);
            bench.code.set_translation(heat);
            bench.set(|all| {
                all.general = [1, 5, 0x8000_0000, 0x1234_5678, STACK, 0, DATA, 0xFFFF];
                all.eip = CODE;
            });
            let start = std::time::Instant::now();
            let mut limit = 0;
            while bench.core.registers().eip < 0x2000 {
                bench.core.begin_window();
                limit += 20_000;
                if bench.run(limit) == Exit::Halted {
                    break;
                }
            }
            let mips =
                bench.core.counters().instructions as f64 / start.elapsed().as_micros() as f64;
            println!("seed {seed} {heat:?}: {mips:.0} MIPS, {:?}", bench.core.counters().loads);
        }
    }
}
