//! Measures the host's cost of a transaction. Ignored in ordinary runs, because it checks no
//! result: `cargo test --release -p rockcreek-chip --test transactions -- --ignored --nocapture`.
//!
//! `ONLY` names one of the programs, `END_US` the simulated time at which they end.
//!
//! All 48 cores exchange messages through message-passing buffers, or stream memory, with skipping
//! off: measured are transactions in a second of this thread's processor time. Then 47 cores wait
//! at a flag for one that computes, with skipping on, compared with that core alone.

use crate::common;

use common::{BASE, Machine, kernel, machine};
use iced_x86::IcedError;
use iced_x86::code_asm::*;
use rockcreek_chip::Stopped;
use rockcreek_defs::{CoreAddr, CoreId, Ps};

const CODE: u32 = BASE + 12;
const DIRECTORY: u32 = 0x14_0000;
const TABLES: u32 = 0x14_1000;
const FROM: u32 = 0x20_0000;
const TO: u32 = 0x30_0000;
const STREAM_BYTES: u32 = 0x8_0000;
const PRESENT: u32 = 3;
const PMB: u32 = 1 << 7;
const MPB_BASE: u32 = 0xC000_0000;
const WARM: Ps = Ps(300_000_000);

fn mpb(core: u32) -> u32 {
    MPB_BASE + ((core / 2) << 24) + ((core % 2) << 13)
}

/// Emits the start: paging with message-passing pages, caches on.
fn prologue(a: &mut CodeAssembler) -> Result<(), IcedError> {
    a.mov(eax, DIRECTORY)?;
    a.mov(cr3, eax)?;
    a.mov(eax, 1u32 << 11)?;
    a.mov(cr4, eax)?;
    a.mov(eax, 0x8000_0001u32)?;
    a.mov(cr0, eax)
}

type Body = fn(&mut CodeAssembler, u32) -> Result<(), IcedError>;

/// A line and a flag go to the partner's buffer and come back, for ever.
fn storm(a: &mut CodeAssembler, core: u32) -> Result<(), IcedError> {
    let [mut again, mut wait, mut first] = [(); 3].map(|()| a.create_label());
    a.mov(esi, mpb((core + 24) % 48))?;
    a.mov(edi, mpb(core))?;
    a.mov(ebp, 0)?;
    if core < 24 {
        a.jmp(first)?;
    }
    a.set_label(&mut again)?;
    a.inc(ebp)?;
    a.set_label(&mut wait)?;
    a.db(&[0x0F, 0x0A])?;
    a.mov(eax, dword_ptr(edi))?;
    a.cmp(eax, ebp)?;
    a.jne(wait)?;
    a.set_label(&mut first)?;
    for word in 0..8 {
        a.mov(dword_ptr(esi + 64 + 4 * word), ebp)?;
    }
    a.lea(eax, dword_ptr(ebp + i32::from(core < 24)))?;
    a.mov(dword_ptr(esi), eax)?;
    a.mov(dword_ptr(esi + 128), eax)?;
    a.jmp(again)
}

fn sum(a: &mut CodeAssembler, _: u32) -> Result<(), IcedError> {
    let [mut again, mut next] = [(); 2].map(|()| a.create_label());
    a.set_label(&mut again)?;
    a.mov(esi, FROM)?;
    a.set_label(&mut next)?;
    for word in 0..8 {
        a.add(eax, dword_ptr(esi + 4 * word))?;
    }
    a.add(esi, 32)?;
    a.cmp(esi, FROM + STREAM_BYTES)?;
    a.jb(next)?;
    a.jmp(again)
}

/// Each load reads another line of another page.
fn far(a: &mut CodeAssembler, _: u32) -> Result<(), IcedError> {
    let mut again = a.create_label();
    a.mov(esi, 0)?;
    a.set_label(&mut again)?;
    a.add(eax, dword_ptr(esi + FROM))?;
    a.add(esi, 0x1020)?;
    a.and(esi, 0x1F_FFFF)?;
    a.jmp(again)
}

fn copy(a: &mut CodeAssembler, _: u32) -> Result<(), IcedError> {
    let mut again = a.create_label();
    a.set_label(&mut again)?;
    a.mov(esi, FROM)?;
    a.mov(edi, TO)?;
    a.mov(ecx, STREAM_BYTES / 4)?;
    a.rep().movsd()?;
    a.jmp(again)
}

/// Waits for a flag that no core sets.
fn wait(a: &mut CodeAssembler, core: u32) -> Result<(), IcedError> {
    let mut wait = a.create_label();
    a.mov(edi, mpb(core))?;
    a.set_label(&mut wait)?;
    a.db(&[0x0F, 0x0A])?;
    a.mov(eax, dword_ptr(edi))?;
    a.test(eax, eax)?;
    a.je(wait)
}

/// Computes on 4 KB of memory.
fn compute(a: &mut CodeAssembler, _: u32) -> Result<(), IcedError> {
    let [mut again, mut next] = [(); 2].map(|()| a.create_label());
    a.set_label(&mut again)?;
    a.mov(ecx, 1024)?;
    a.mov(esi, FROM)?;
    a.set_label(&mut next)?;
    a.mov(eax, dword_ptr(esi))?;
    a.mov(edx, eax)?;
    a.shr(edx, 7)?;
    a.xor(eax, edx)?;
    a.lea(eax, dword_ptr(eax + eax * 4))?;
    a.add(eax, ecx)?;
    a.mov(dword_ptr(esi), eax)?;
    a.add(esi, 4)?;
    a.dec(ecx)?;
    a.jne(next)?;
    a.jmp(again)
}

fn prepare(chip: &mut Machine, core: u32, body: Body) {
    let mut a = CodeAssembler::new(32).unwrap();
    prologue(&mut a).unwrap();
    body(&mut a, core).unwrap();
    let id = CoreId(core as u16);
    let image = a.assemble(CODE.into()).unwrap();
    chip.load(id, &kernel(&image), "", &[]).unwrap();
    let mut poke = |address: u32, words: &[u32]| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert!(chip.uncore.poke(id, CoreAddr(address), &bytes));
    };
    let pages: Vec<u32> = (0..1024).map(|page| page << 12 | PRESENT).collect();
    poke(TABLES, &pages);
    poke(DIRECTORY, &[TABLES | PRESENT]);
    for tile in 0..24 {
        let (table, base) = (TABLES + 0x1000 * (tile + 1), MPB_BASE + (tile << 24));
        let pages: Vec<u32> = (0..4).map(|page| (base + (page << 12)) | PMB | PRESENT).collect();
        poke(table, &pages);
        poke(DIRECTORY + 4 * (base >> 22), &[table | PRESENT]);
    }
}

fn chip(bodies: &[(u32, Body)], skipping: bool) -> Machine {
    let mut chip = machine();
    chip.set_skipping(skipping);
    for (core, body) in bodies {
        prepare(&mut chip, *core, *body);
    }
    bodies.iter().for_each(|(core, _)| chip.release(CoreId(*core as u16)));
    chip
}

/// Nanoseconds of processor time of this thread.
fn processor_ns() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("a Linux host");
    text.split(' ').next().unwrap().parse().unwrap()
}

fn until(chip: &mut Machine, time: Ps) -> u64 {
    let begin = processor_ns();
    assert_eq!(chip.run(Some(time), || true), Stopped::Until);
    processor_ns() - begin
}

fn report(name: &str, (cores, body): (u32, Body), end: Ps) {
    let mut chip = chip(&(0..cores).map(|core| (core, body)).collect::<Vec<_>>(), false);
    until(&mut chip, WARM);
    let before = chip.events;
    let ns = until(&mut chip, end);
    let transactions = (chip.events - before) / 2;
    let [each, rate] = [ns / transactions, transactions * 100_000 / ns.max(1)];
    println!(
        "{name}: {transactions} transactions, {each} ns each, {}.{:02} M/s; {}",
        rate / 100,
        rate % 100,
        chip.state_hash()
    );
}

#[test]
#[ignore = "a measurement"]
fn storm_and_streams() {
    let all = [("storm", storm as Body, 48), ("sum", sum, 48), ("copy", copy, 48), ("far", far, 1)];
    let wanted = std::env::var("ONLY").unwrap_or_default();
    for (name, body, cores) in all.into_iter().filter(|(name, ..)| name.contains(&wanted)) {
        let end = std::env::var("END_US").map_or(2_300, |us| us.parse().unwrap());
        report(name, (cores, body), Ps(end * 1_000_000));
    }
}

#[test]
#[ignore = "a measurement"]
fn many_wait_for_one() {
    for _ in 0..3 {
        let mut alone = chip(&[(20, compute)], true);
        let others = (0..48).map(|core| (core, if core == 20 { compute } else { wait as Body }));
        let mut all = chip(&others.collect::<Vec<_>>(), true);
        for chip in [&mut alone, &mut all] {
            until(chip, WARM);
        }
        let end = Ps(100_000_000_000);
        let [one, many] = [&mut alone, &mut all].map(|chip| until(chip, end));
        println!(
            "alone {} ms, 48 cores {} ms: {}%",
            one / 1_000_000,
            many / 1_000_000,
            many * 100 / one
        );
    }
}
