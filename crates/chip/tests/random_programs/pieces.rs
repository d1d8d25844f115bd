//! The pieces of random programs. EBP is random, EDI counts rounds, ESI is the core's number.

use iced_x86::IcedError;
use iced_x86::code_asm::*;

use super::generator::Random;
use crate::common::paged::{APIC_INITIAL_COUNT, DIRECTORY, POINTERS, SMALL_DIRECTORY, TABLE};

pub const DATA: u32 = 0x24_0000;
pub const DATA_PAGES: u32 = 32;
/// Addresses of words: of x87 pieces, of counts, of values passed through memory.
pub const X87: u32 = 0x22_0000;
pub const COUNTS: u32 = X87 + 16;
const FAR_POINTER: u32 = X87 + 32;
/// Memory that all cores share.
pub const UNCACHED: u32 = 0x8000_0000;
pub const CACHED: u32 = 0x8040_0000;
/// For each core, the number of rounds that it has done.
pub const PROGRESS: u32 = UNCACHED + 0x1000;
pub const PROGRESS_BYTES: u32 = 64;
/// The two tiles' message-passing buffers and registers, each `TILE_BYTES` apart.
pub const MPB: u32 = 0xC000_0000;
pub const TILE_BYTES: u32 = 0x0100_0000;
const LOCK: u32 = 0xE000_0200;
const GLCFG: u32 = 0xE000_0010;
pub const GLCFG_IDLE: u32 = 0xDF8;
const GLCFG_NMI: u32 = 1;
const GLCFG_INTR: u32 = 2;

/// Functions: `mov r, imm32; ret` behind three bytes, so that the constant is aligned.
pub const FUNCTIONS: u32 = 8;
pub const FUNCTION_BYTES: u32 = 16;
const FUNCTION_ENTRY: u32 = 3;
/// Functions: the core's own, and shared ones: cached, uncached, in an MPB.
pub const FUNCTION_BASES: [u32; 4] = [0x23_0000, CACHED + 0x8000, UNCACHED + 0x8000, MPB + 0x1000];
/// Bases in the order of likelihood: code that is not cached is slow.
const LIKELY_BASES: [usize; 8] = [0, 0, 0, 1, 1, 1, 2, 3];

/// Handlers that only return, and handlers that repair what a piece has broken.
pub const SOFTWARE_VECTOR: u8 = 0x33;
/// Selectors of [`crate::common::paged`]: code, data, data that begin at DATA.
pub const DATA_SEGMENT: u32 = 0x10;
const BASED_SEGMENT: u32 = 0x18;

const CR0_TASK_SWITCHED: u32 = 1 << 3;
const CR0_WRITE_PROTECT: u32 = 1 << 16;
const CR0_NOT_WRITE_THROUGH: u32 = 1 << 29;
const CR0_CACHE_DISABLE: u32 = 1 << 30;
const CR4_PAGE_SIZE_EXTENSIONS: u32 = 1 << 4;
const CR4_MESSAGE_PASSING: u32 = 1 << 11;
/// Bits of a page table entry: present, writable, write-through, uncached, dirty, PMB.
const PTE_BITS: [u32; 6] = [1, 2, 8, 0x10, 0x40, 0x80];

/// The address of one of the functions.
fn function(random: &mut Random) -> u32 {
    let base = FUNCTION_BASES[random.of(&LIKELY_BASES)];
    base + random.below(FUNCTIONS) * FUNCTION_BYTES + FUNCTION_ENTRY
}

type Done = Result<(), IcedError>;

/// Emits the load of EBX with an address in one of the memories.
fn address(a: &mut CodeAssembler, random: &mut Random, base: u32, mask: u32) -> Done {
    a.mov(ebx, ebp)?;
    a.shr(ebx, 2 + random.below(14))?;
    a.and(ebx, mask as i32)?;
    a.add(ebx, base as i32)
}

/// Emits one piece; `kinds`: the kinds of pieces that this program has.
pub fn piece(a: &mut CodeAssembler, random: &mut Random, kinds: u32) -> Done {
    match random.below(10) {
        0..=3 => arithmetic(a, random),
        4..=6 => memory(a, random),
        7 if kinds & 1 != 0 => code(a, random),
        8 if kinds & 2 != 0 => paging(a, random),
        8 if kinds & 4 != 0 => caches(a, random),
        9 if kinds & 8 != 0 => segments(a, random),
        9 if kinds & 16 != 0 => interrupts(a, random),
        _ => flow(a, random),
    }
}

fn arithmetic(a: &mut CodeAssembler, random: &mut Random) -> Done {
    let free = [eax, ebx, ecx, edx];
    let (first, second, number) = (random.of(&free), random.of(&free), random.below(u32::MAX));
    match random.below(8) {
        0 => a.add(first, second),
        1 => a.sbb(first, second),
        2 => a.xor(first, number as i32),
        3 => a.imul_2(first, second),
        4 => a.rol(first, 1 + number % 31),
        5 => {
            a.bsf(first, ebp)?;
            a.shld(second, first, number % 32)
        }
        6 => {
            a.mov(dword_ptr(X87), first)?;
            a.fild(dword_ptr(X87))?;
            a.fadd(qword_ptr(X87 + 8))?;
            a.fstp(qword_ptr(X87 + 8))
        }
        _ => {
            a.rdtsc()?;
            a.add(first, eax)
        }
    }
}

fn memory(a: &mut CodeAssembler, random: &mut Random) -> Done {
    let free = [eax, ecx, edx];
    let (first, second) = (random.of(&free), random.of(&free));
    let skew = if random.one_in(8) { 1 } else { 0 };
    match random.below(12) {
        0 | 1 => {
            address(a, random, DATA + skew, 0x1_FFFC)?;
            a.add(dword_ptr(ebx), first)
        }
        2 => {
            address(a, random, DATA + skew, 0x3FFF)?;
            a.mov(first, dword_ptr(ebx))
        }
        3 => {
            address(a, random, CACHED, 0x3FFC)?;
            a.mov(dword_ptr(ebx), second)
        }
        4 => {
            address(a, random, CACHED, 0x3FFC)?;
            a.adc(first, dword_ptr(ebx))
        }
        5 => {
            let of_tile = TILE_BYTES * random.below(2);
            address(a, random, MPB + of_tile, 0xFFC)?;
            a.mov(dword_ptr(ebx), second)
        }
        6 => {
            let of_tile = TILE_BYTES * random.below(2);
            address(a, random, MPB + of_tile, 0xFFC)?;
            a.mov(first, dword_ptr(ebx))
        }
        7 if random.one_in(4) => {
            address(a, random, UNCACHED, 0xFC)?;
            a.xor(dword_ptr(ebx), ebp)
        }
        8 if random.one_in(4) => {
            let lock = LOCK + TILE_BYTES * random.below(2);
            a.mov(eax, dword_ptr(lock))?;
            a.mov(dword_ptr(lock), eax)
        }
        9 => {
            address(a, random, DATA, 0x1_FFFC)?;
            if random.one_in(2) {
                a.lock().inc(dword_ptr(ebx))
            } else {
                a.xchg(dword_ptr(ebx), first)
            }
        }
        10 => {
            a.push(edi)?;
            address(a, random, DATA, 0xFFFC)?;
            a.mov(edi, ebx)?;
            a.mov(ecx, random.below(40))?;
            if random.one_in(2) {
                a.rep().stosd()?
            } else {
                a.rep().stosb()?
            }
            a.pop(edi)
        }
        _ => {
            a.push(first)?;
            a.pop(second)
        }
    }
}

/// Emits a piece that writes code, or runs code that was written.
fn code(a: &mut CodeAssembler, random: &mut Random) -> Done {
    match random.below(9) {
        0 | 1 => a.mov(dword_ptr(function(random) + 1), ebp),
        // Change the register of the instruction.
        2 => a.mov(byte_ptr(function(random)), 0xB8 + random.of(&[0u32, 1, 2, 3])),
        3 => {
            // Replace one function by another.
            a.pushad()?;
            a.mov(esi, (function(random) + 1) & !0xF)?;
            a.mov(edi, (function(random) + 1) & !0xF)?;
            a.mov(ecx, FUNCTION_BYTES / 4)?;
            a.rep().movsd()?;
            a.popad()
        }
        4 => {
            // call next; next: pop ebx; mov [ebx + to the immediate], ebp; nops; mov r, imm32
            let nops = random.below(40);
            a.db(&[0xE8, 0, 0, 0, 0, 0x5B, 0x89, 0x6B, 5 + nops as u8])?;
            (0..nops).try_for_each(|_| a.nop())?;
            a.db(&[0xB8 + random.of(&[0, 1, 2]), 1, 2, 3, 4])
        }
        5 => {
            // mov r, imm32; call next; next: pop ebx; mov [ebx - 9], ebp: for the next round.
            a.db(&[0xB8 + random.of(&[0, 1, 2]), 1, 2, 3, 4])?;
            a.db(&[0xE8, 0, 0, 0, 0, 0x5B, 0x89, 0x6B, 0xF7])
        }
        _ => {
            a.mov(ebx, function(random))?;
            a.call(ebx)
        }
    }
}

/// Emits a change of translations or memory types, with and without a flush of the TLBs.
fn paging(a: &mut CodeAssembler, random: &mut Random) -> Done {
    let page = DATA / 4096 + random.below(DATA_PAGES);
    let entry = TABLE + 4 * page;
    match random.below(10) {
        0 => {
            a.mov(eax, cr3)?;
            a.mov(cr3, eax)
        }
        // Between the two directories, no page is used that only one of them maps.
        1 => {
            a.mov(eax, SMALL_DIRECTORY)?;
            a.mov(cr3, eax)?;
            a.mov(eax, CR4_MESSAGE_PASSING)?;
            a.mov(cr4, eax)
        }
        2 => {
            a.mov(eax, CR4_PAGE_SIZE_EXTENSIONS)?;
            a.mov(cr4, eax)?;
            a.mov(eax, DIRECTORY)?;
            a.mov(cr3, eax)
        }
        3 => a.invlpg(ptr(page * 4096 + 8)),
        4 => {
            address(a, random, DATA, 0x1_FFFC)?;
            a.invlpg(ptr(ebx))
        }
        5 | 6 => a.xor(dword_ptr(entry), random.of(&PTE_BITS)),
        7 => {
            a.xor(dword_ptr(entry), random.of(&PTE_BITS))?;
            a.invlpg(ptr(page * 4096))
        }
        8 => {
            // Two pages exchange their frames.
            let other = TABLE + 4 * (DATA / 4096 + random.below(DATA_PAGES));
            a.mov(eax, dword_ptr(entry))?;
            a.xchg(dword_ptr(other), eax)?;
            a.mov(dword_ptr(entry), eax)?;
            a.mov(eax, cr3)?;
            a.mov(cr3, eax)
        }
        _ => {
            a.mov(eax, cr0)?;
            a.xor(eax, CR0_WRITE_PROTECT as i32)?;
            a.mov(cr0, eax)
        }
    }
}

fn caches(a: &mut CodeAssembler, random: &mut Random) -> Done {
    match random.below(12) {
        0 if random.one_in(2) => a.wbinvd(),
        // Contents that only L1D held are lost; no value on the stack is needed here.
        1 | 2 => a.invd(),
        3..=5 => a.db(&[0x0F, 0x0A]), // cl1invmb
        6 => {
            // Caches off and on again, with a piece in between.
            for word in [CR0_CACHE_DISABLE | CR0_NOT_WRITE_THROUGH, CR0_CACHE_DISABLE, 0] {
                a.mov(eax, cr0)?;
                let both = CR0_CACHE_DISABLE | CR0_NOT_WRITE_THROUGH;
                a.and(eax, !both as i32)?;
                a.or(eax, word as i32)?;
                a.mov(cr0, eax)?;
                memory(a, random)?;
            }
            Ok(())
        }
        7 => {
            a.mov(eax, cr0)?;
            a.or(eax, CR0_CACHE_DISABLE as i32)?;
            a.mov(cr0, eax)?;
            arithmetic(a, random)?;
            memory(a, random)?;
            a.mov(eax, cr0)?;
            a.and(eax, !CR0_CACHE_DISABLE as i32)?;
            a.mov(cr0, eax)
        }
        8 => {
            a.mov(eax, cr0)?;
            a.or(eax, CR0_TASK_SWITCHED as i32)?;
            a.mov(cr0, eax)
        }
        9 => {
            a.xor(eax, eax)?;
            a.cpuid()
        }
        _ => {
            a.mov(eax, cr0)?;
            a.mov(cr0, eax)
        }
    }
}

fn segments(a: &mut CodeAssembler, random: &mut Random) -> Done {
    match random.below(9) {
        // push cs; call next; next: add dword [esp], distance to the code behind retf; retf
        0 | 1 => a.db(&[0x0E, 0xE8, 0, 0, 0, 0, 0x83, 0x04, 0x24, 5, 0xCB]),
        // pushfd; push cs; as before; iretd
        2 => a.db(&[0x9C, 0x0E, 0xE8, 0, 0, 0, 0, 0x83, 0x04, 0x24, 5, 0xCF]),
        3 => {
            // call next; next: pop eax; add eax, distance; a jump through memory
            a.db(&[0xE8, 0, 0, 0, 0, 0x58, 0x83, 0xC0, 21])?;
            a.db(&[0xA3])?;
            a.dd(&[FAR_POINTER])?;
            a.db(&[0x8C, 0x0D])?;
            a.dd(&[FAR_POINTER + 4])?;
            a.db(&[0xFF, 0x2D])?;
            a.dd(&[FAR_POINTER])
        }
        4 => {
            a.mov(eax, DATA_SEGMENT)?;
            a.mov(random.of(&[ds, es, fs, gs]), eax)
        }
        5 => {
            a.mov(eax, DATA_SEGMENT)?;
            a.mov(ss, eax)?;
            a.push(eax)?;
            a.pop(random.of(&[eax, edx]))
        }
        6 => {
            a.push(ds)?;
            a.pop(es)
        }
        7 => {
            a.mov(eax, BASED_SEGMENT)?;
            a.mov(fs, eax)?;
            address(a, random, 0, 0x7FFC)?;
            a.add(dword_ptr(ebx).fs(), ebp)
        }
        _ => a.lgdt(fword_ptr(POINTERS)),
    }
}

/// Emits interrupts of this core and of others, and waits for them.
fn interrupts(a: &mut CodeAssembler, random: &mut Random) -> Done {
    match random.below(10) {
        0 | 1 => a.int(u32::from(SOFTWARE_VECTOR)),
        2 => a.int3(),
        3 => a.hlt(),
        4 => a.mov(dword_ptr(APIC_INITIAL_COUNT), 300 + random.below(20_000)),
        5 | 6 => {
            let of_core = TILE_BYTES * random.below(2) + 8 * random.below(2);
            let pin = random.of(&[GLCFG_INTR, GLCFG_INTR, GLCFG_NMI]);
            a.mov(dword_ptr(GLCFG + of_core), GLCFG_IDLE | pin)
        }
        7 => {
            a.pushfd()?;
            a.cli()?;
            memory(a, random)?;
            a.popfd()
        }
        _ => {
            a.cli()?;
            arithmetic(a, random)?;
            a.sti()
        }
    }
}

fn flow(a: &mut CodeAssembler, random: &mut Random) -> Done {
    let free = [eax, ebx, ecx, edx];
    let (first, second, number) = (random.of(&free), random.of(&free), random.below(u32::MAX));
    if random.one_in(2) {
        let mut again = a.create_label();
        a.mov(ecx, 2 + random.below(60))?;
        a.set_label(&mut again)?;
        a.lea(eax, dword_ptr(eax + ecx * 4))?;
        a.xor(edx, eax)?;
        a.dec(ecx)?;
        return a.jne(again);
    }
    let mut over = a.create_label();
    a.test(ebp, 1 << random.below(24))?;
    a.jne(over)?;
    a.inc(first)?;
    a.mov(dword_ptr(DATA + number % 0x1000 * 4), second)?;
    a.set_label(&mut over)?;
    a.nop()
}

/// Emits the end of a round: no core continues before its neighbour is at most a little behind it.
pub fn wait_for_neighbour(a: &mut CodeAssembler, core: u16, cores: u16) -> Done {
    let progress = |core: u16| PROGRESS + PROGRESS_BYTES * u32::from(core);
    let mut again = a.create_label();
    a.inc(dword_ptr(progress(core)))?;
    a.mov(ebx, dword_ptr(progress(core)))?;
    a.sub(ebx, 2)?;
    a.set_label(&mut again)?;
    a.mov(eax, dword_ptr(progress((core + 1) % cores)))?;
    a.cmp(eax, ebx)?;
    a.jl(again)
}
