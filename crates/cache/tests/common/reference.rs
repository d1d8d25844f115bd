//! A second implementation of the caches, slow and plain: lines in lists, direct access to memory,
//! no requests.
//!
//! The implementation is for comparison with the crate, not for speed, and shares no code with it.

use crate::common::{L1_ONLY, MPBT, MPBT_WB, Memory, UC, UC_MPBT, WB, WT};
use rockcreek_cache::MemoryType;

#[derive(Clone)]
struct Line {
    addr: u32,
    bytes: Vec<u8>,
    dirty: bool,
    mb: bool,
}

/// One set: its ways, and the bits of the tree, which show the halves used last.
#[derive(Clone)]
struct Set {
    ways: Vec<Option<Line>>,
    /// For 2 ways: true if the right one was used last. For 4 ways: this for the two pairs, then
    /// for the ways of the left and of the right pair.
    right_used: [bool; 3],
    /// For true LRU: the ways, the one used last first.
    uses: Option<Vec<usize>>,
}

impl Set {
    fn used(&mut self, way: usize) {
        if let Some(uses) = &mut self.uses {
            uses.retain(|&other| other != way);
            uses.insert(0, way);
            return;
        }
        match self.ways.len() {
            2 => self.right_used[0] = way == 1,
            4 => {
                self.right_used[0] = way >= 2;
                self.right_used[1 + way / 2] = way % 2 == 1;
            }
            _ => {}
        }
    }

    fn victim(&self) -> usize {
        if let Some(free) = self.ways.iter().position(Option::is_none) {
            return free;
        }
        if let Some(uses) = &self.uses {
            return *uses.last().expect("all ways were used");
        }
        match self.ways.len() {
            1 => 0,
            2 => usize::from(!self.right_used[0]),
            _ => {
                let pair = usize::from(!self.right_used[0]);
                2 * pair + usize::from(!self.right_used[1 + pair])
            }
        }
    }
}

#[derive(Clone)]
struct Level {
    sets: Vec<Set>,
}

impl Level {
    fn new(sets: usize, ways: usize) -> Level {
        // After power-on the victim is way 0, as if the right ways had been used.
        let set = Set { ways: vec![None; ways], right_used: [true; 3], uses: None };
        Level { sets: vec![set; sets] }
    }

    /// An empty level with true LRU.
    fn in_order_of_use(sets: usize, ways: usize) -> Level {
        let mut level = Level::new(sets, ways);
        level.sets.iter_mut().for_each(|set| set.uses = Some(Vec::new()));
        level
    }

    fn set(&mut self, addr: u32) -> &mut Set {
        let number = (addr / 32) as usize % self.sets.len();
        &mut self.sets[number]
    }

    /// The line of `addr`, which is marked as used.
    fn hit(&mut self, addr: u32) -> Option<&mut Line> {
        let set = self.set(addr);
        let is_it = |l: &Option<Line>| l.as_ref().is_some_and(|l| l.addr == addr / 32 * 32);
        let way = set.ways.iter().position(is_it)?;
        set.used(way);
        set.ways[way].as_mut()
    }

    fn peek(&mut self, addr: u32) -> Option<&mut Line> {
        self.set(addr).ways.iter_mut().flatten().find(|l| l.addr == addr / 32 * 32)
    }

    fn drop_line(&mut self, addr: u32) {
        for way in &mut self.set(addr).ways {
            if way.as_ref().is_some_and(|l| l.addr == addr / 32 * 32) {
                *way = None;
            }
        }
    }

    fn drop_if(&mut self, condition: impl Fn(&Line) -> bool) {
        for way in self.sets.iter_mut().flat_map(|set| &mut set.ways) {
            if way.as_ref().is_some_and(&condition) {
                *way = None;
            }
        }
    }

    /// The line that a fill would replace.
    fn victim(&mut self, addr: u32) -> Option<Line> {
        let set = self.set(addr);
        set.ways[set.victim()].clone()
    }

    fn fill(&mut self, addr: u32, bytes: &[u8], mb: bool) {
        let set = self.set(addr);
        let way = set.victim();
        let addr = addr / 32 * 32;
        set.ways[way] = Some(Line { addr, bytes: bytes.to_vec(), dirty: false, mb });
        set.used(way);
    }
}

/// One core's caches.
pub struct Reference {
    l1d: Level,
    l1i: Level,
    l2: Level,
    l2_on: bool,
    /// True if a store that misses fetches its line into L2.
    allocates: bool,
    /// The line in the write-combine buffer: its address, and the bytes written.
    wcb: Option<(u32, Vec<Option<u8>>)>,
}

fn from_memory(memory: &Memory, addr: u32) -> Vec<u8> {
    (0..32).map(|i| memory.byte(addr / 32 * 32 + i)).collect()
}

fn number(bytes: &[u8], addr: u32, size: u8) -> u64 {
    let start = addr as usize % 32;
    let bytes = &bytes[start..start + size as usize];
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

fn patch(bytes: &mut [u8], addr: u32, size: u8, value: u64) {
    for i in 0..size as usize {
        bytes[addr as usize % 32 + i] = (value >> (8 * i)) as u8;
    }
}

fn to_memory(memory: &mut Memory, addr: u32, size: u8, value: u64) {
    for i in 0..u32::from(size) {
        memory.set(addr + i, (value >> (8 * i)) as u8);
    }
}

impl Reference {
    /// The caches of `tiny()`, with the L2 that a chip description may choose.
    pub fn new(allocates: bool, lru_of_eight: bool) -> Reference {
        let l2 = if lru_of_eight { Level::in_order_of_use(1, 8) } else { Level::new(2, 4) };
        let (l1d, l1i) = (Level::new(2, 2), Level::new(2, 1));
        Reference { l1d, l1i, l2, l2_on: true, allocates, wcb: None }
    }

    fn in_l2(&mut self, addr: u32) -> Option<&mut Line> {
        if self.l2_on { self.l2.hit(addr) } else { None }
    }

    fn write_back(&mut self, memory: &mut Memory, line: &Line) {
        if !line.dirty {
            return;
        }
        if !line.mb
            && let Some(below) = self.in_l2(line.addr)
        {
            below.bytes = line.bytes.clone();
            below.dirty = true;
        } else {
            for (i, &byte) in line.bytes.iter().enumerate() {
                memory.set(line.addr + i as u32, byte);
            }
        }
        if let Some(line) = self.l1d.peek(line.addr) {
            line.dirty = false;
        }
    }

    fn make_room_in_l1d(&mut self, memory: &mut Memory, addr: u32) {
        if let Some(victim) = self.l1d.victim(addr) {
            self.write_back(memory, &victim);
        }
    }

    fn read_through_l2(&mut self, memory: &mut Memory, addr: u32) -> Vec<u8> {
        if let Some(line) = self.in_l2(addr) {
            return line.bytes.clone();
        }
        if self.l2_on
            && let Some(victim) = self.l2.victim(addr).filter(|l| l.dirty)
        {
            for (i, &byte) in victim.bytes.iter().enumerate() {
                memory.set(victim.addr + i as u32, byte);
            }
        }
        let bytes = from_memory(memory, addr);
        if self.l2_on {
            self.l2.fill(addr, &bytes, false);
        }
        bytes
    }

    pub fn read(&mut self, memory: &mut Memory, addr: u32, size: u8, ty: MemoryType) -> u64 {
        if ty == UC {
            return memory.value(addr, size);
        }
        if ty == UC_MPBT {
            let line = addr / 32 * 32;
            let byte = |i: u32| u64::from(memory.byte(line + (addr + i) % 8));
            return (0..u32::from(size)).map(|i| byte(i) << (8 * i)).sum();
        }
        if let Some(line) = self.l1d.hit(addr) {
            return number(&line.bytes, addr, size);
        }
        self.make_room_in_l1d(memory, addr);
        let bytes = if ty == WB || ty == WT {
            self.read_through_l2(memory, addr)
        } else {
            from_memory(memory, addr)
        };
        self.l1d.fill(addr, &bytes, ty == MPBT || ty == MPBT_WB);
        number(&bytes, addr, size)
    }

    pub fn write(&mut self, memory: &mut Memory, addr: u32, size: u8, v: u64, ty: MemoryType) {
        self.l1i.drop_line(addr);
        let cached = ty != UC && ty != UC_MPBT;
        let keeps = ty == WB || ty == MPBT_WB || ty == L1_ONLY;
        if cached && let Some(line) = self.l1d.hit(addr) {
            patch(&mut line.bytes, addr, size, v);
            line.dirty |= keeps;
            if keeps {
                return;
            }
        }
        if ty == MPBT || ty == MPBT_WB || ty == UC_MPBT {
            self.combine(memory, addr, size, v);
            return;
        }
        let second = ty == WB || ty == WT;
        if second && self.allocates && self.l2_on && self.l2.peek(addr).is_none() {
            self.read_through_l2(memory, addr);
        }
        if second && let Some(line) = self.in_l2(addr) {
            patch(&mut line.bytes, addr, size, v);
            line.dirty = true;
        } else {
            to_memory(memory, addr, size, v);
        }
    }

    fn combine(&mut self, memory: &mut Memory, addr: u32, size: u8, value: u64) {
        let line = addr / 32 * 32;
        if self.wcb.as_ref().is_some_and(|(held, _)| *held != line) {
            self.drain(memory);
        }
        let (_, bytes) = self.wcb.get_or_insert_with(|| (line, vec![None; 32]));
        for i in 0..size as usize {
            bytes[addr as usize % 32 + i] = Some((value >> (8 * i)) as u8);
        }
        if bytes.iter().all(Option::is_some) {
            self.drain(memory);
        }
    }

    fn drain(&mut self, memory: &mut Memory) {
        let (line, bytes) = self.wcb.take().expect("something to drain");
        for (i, byte) in bytes.into_iter().enumerate() {
            if let Some(byte) = byte {
                memory.set(line + i as u32, byte);
            }
        }
    }

    pub fn exchange(
        &mut self,
        memory: &mut Memory,
        addr: u32,
        size: u8,
        v: u64,
        ty: MemoryType,
    ) -> u64 {
        if ty != UC
            && ty != UC_MPBT
            && let Some(line) = self.l1d.peek(addr).cloned()
        {
            self.write_back(memory, &line);
            self.l1d.drop_line(addr);
        }
        let old = match ty {
            WB | WT => {
                let bytes = self.read_through_l2(memory, addr);
                number(&bytes, addr, size)
            }
            UC_MPBT => self.read(memory, addr, size, UC_MPBT),
            _ => memory.value(addr, size),
        };
        self.l1i.drop_line(addr);
        if (ty == WB || ty == WT)
            && let Some(line) = self.in_l2(addr)
        {
            patch(&mut line.bytes, addr, size, v);
            line.dirty = true;
        } else {
            to_memory(memory, addr, size, v);
        }
        old
    }

    pub fn fetch(&mut self, memory: &mut Memory, addr: u32, ty: MemoryType) -> Vec<u8> {
        if ty != WB && ty != WT {
            return from_memory(memory, addr);
        }
        if let Some(line) = self.l1i.hit(addr) {
            return line.bytes.clone();
        }
        if let Some(line) = self.l1d.peek(addr).cloned() {
            self.write_back(memory, &line);
        }
        let bytes = self.read_through_l2(memory, addr);
        self.l1i.fill(addr, &bytes, false);
        bytes
    }

    pub fn cl1invmb(&mut self) {
        self.l1d.drop_if(|line| line.mb);
    }

    pub fn invd(&mut self) {
        self.l1d.drop_if(|_| true);
        self.l1i.drop_if(|_| true);
    }

    pub fn wbinvd(&mut self, memory: &mut Memory) {
        let lines: Vec<Line> =
            self.l1d.sets.iter().flat_map(|set| set.ways.iter().flatten().cloned()).collect();
        for line in lines {
            self.write_back(memory, &line);
        }
        self.invd();
    }

    pub fn set_l2_enabled(&mut self, on: bool) {
        self.l2_on = on;
    }
}
