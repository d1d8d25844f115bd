//! The checkers' findings as Python values.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use rockcreek_chip::{
    Allocator, BlockFinding, BlockKind, Contents, Edge, EdgeKind, Finding, Kind, Level, NamedBlock,
    ProgramRace, RaceSite, Site,
};
use rockcreek_cpu::{ProbeKind, ProbeNote};
use rockcreek_defs::{ProgramMemory, Span};

use crate::chip::Chip;

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::StaleRead => "stale-read",
        Kind::MixedMapping => "mixed-mapping",
        Kind::StuckWrite => "stuck-write",
        Kind::LateWrite => "late-write",
        Kind::LostUpdate => "lost-update",
        Kind::LostWrite => "lost-write",
        Kind::StalePoll => "stale-poll",
        Kind::LockMisuse => "lock-misuse",
        Kind::LockRead => "lock-read",
        Kind::Wait => "wait",
        Kind::Block => "block",
        Kind::EarlyRead => "early-read",
        Kind::Overwritten => "overwritten",
        Kind::NeverRead => "never-read",
        Kind::Race => "race",
        Kind::DoubleWrite => "double-write",
    }
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Memory => "memory",
        Level::L1 => "L1",
        Level::L2 => "L2",
        Level::WriteCombine => "write-combine buffer",
    }
}

fn order(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Value => "value",
        EdgeKind::Lock => "lock",
        EdgeKind::Taken => "taken",
        EdgeKind::Counter => "counter",
        EdgeKind::Interrupt => "interrupt",
        EdgeKind::Mark => "mark",
    }
}

fn site<'py>(py: Python<'py>, site: &Site) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("core", site.core)?;
    dict.set_item("user", site.user)?;
    dict.set_item("eip", site.eip)?;
    dict.set_item("address", site.addr)?;
    dict.set_item("size", site.size)?;
    dict.set_item("value", site.value)?;
    dict.set_item("time_ps", site.time_ps)?;
    let memory_type = match (site.cached, site.message_buffer) {
        (true, _) => "cached",
        (_, true) => "MPBT",
        _ => "uncached",
    };
    dict.set_item("memory_type", memory_type)?;
    dict.set_item("stack", site.stack.to_vec())?;
    Ok(dict)
}

fn edge<'py>(py: Python<'py>, edge: &Edge) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("kind", order(edge.kind))?;
    dict.set_item("released", site(py, &edge.from)?)?;
    dict.set_item("acquired", site(py, &edge.to)?)?;
    Ok(dict)
}

fn finding<'py>(py: Python<'py>, finding: &Finding) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("kind", kind(finding.kind))?;
    dict.set_item("unit", finding.unit)?;
    dict.set_item("offset", finding.offset)?;
    dict.set_item("victim", site(py, &finding.victim)?)?;
    dict.set_item("culprit", site(py, &finding.culprit)?)?;
    dict.set_item("level", level(finding.level))?;
    dict.set_item("since_ps", finding.since_ps)?;
    dict.set_item("order", finding.order.map(|order| edge(py, &order)).transpose()?)?;
    dict.set_item("count", finding.count)?;
    Ok(dict)
}

fn race_site<'py>(py: Python<'py>, site: &RaceSite) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("core", site.core)?;
    dict.set_item("thread", site.thread)?;
    dict.set_item("eip", site.eip)?;
    dict.set_item("time_ps", site.time_ps)?;
    dict.set_item("write", site.write)?;
    dict.set_item("atomic", site.atomic)?;
    dict.set_item("value", site.value)?;
    Ok(dict)
}

fn race<'py>(py: Python<'py>, race: &ProgramRace) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("address", race.address)?;
    dict.set_item("size", race.bytes)?;
    dict.set_item("first", race_site(py, &race.first)?)?;
    dict.set_item("second", race_site(py, &race.second)?)?;
    let block = race.block.map(|block| (block.start, block.bytes, block.eip, block.core));
    dict.set_item("block", block)?;
    dict.set_item("stack", race.stack)?;
    dict.set_item("argument", race.argument)?;
    dict.set_item("count", race.count)?;
    Ok(dict)
}

fn block_kind(kind: BlockKind) -> &'static str {
    match kind {
        BlockKind::Beyond => "beyond-block",
        BlockKind::UseAfterFree => "use-after-free",
        BlockKind::DoubleFree => "double-free",
        BlockKind::BadFree => "bad-free",
        BlockKind::UnwrittenBranch => "unwritten-branch",
        BlockKind::UnwrittenAddress => "unwritten-address",
        BlockKind::UnwrittenCall => "unwritten-call",
    }
}

fn named_block<'py>(py: Python<'py>, block: &NamedBlock) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("start", block.start)?;
    dict.set_item("bytes", block.bytes)?;
    dict.set_item("allocator", block.allocator)?;
    dict.set_item("allocated", site(py, &block.allocated)?)?;
    dict.set_item("freed", block.freed.map(|freed| site(py, &freed)).transpose()?)?;
    Ok(dict)
}

fn block_finding<'py>(py: Python<'py>, finding: &BlockFinding) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("kind", block_kind(finding.kind))?;
    dict.set_item("victim", site(py, &finding.site)?)?;
    dict.set_item("write", finding.write)?;
    let block = finding.block.map(|block| named_block(py, &block)).transpose()?;
    dict.set_item("block", block)?;
    dict.set_item("frame", finding.frame)?;
    let calls = finding.calls.map(|calls| calls.to_vec());
    dict.set_item("calls", calls)?;
    dict.set_item("count", finding.count)?;
    Ok(dict)
}

/// A function that allocates or frees: its first instruction, whether it returns a block, the
/// argument that it takes back, the one where it leaves a block, the arguments with the number of
/// bytes, which memory it uses for blocks, and what is in a new one ([`Allocator`]).
type AllocatorRow =
    (u32, bool, Option<u8>, Option<u8>, [Option<u8>; 2], [u32; 2], u32, bool, String);

fn allocator(row: &AllocatorRow) -> Allocator {
    let (entry, gives, takes, leaves, bytes, granules, large, returns_large, contents) =
        row.clone();
    let contents = match contents.as_str() {
        "zeros" => Contents::Zeros,
        "shared" => Contents::Shared,
        _ => Contents::Unwritten,
    };
    Allocator { entry, gives, takes, leaves, bytes, granules, large, returns_large, contents }
}

#[pymethods]
impl Chip {
    /// Checks coherence from now on, and races: in message buffers, if `True` in all memory, if `None`
    /// nowhere. Results are the same.
    fn start_check(&mut self, races: Option<bool>) -> PyResult<()> {
        self.with(|machine| {
            machine.start_check(races);
            Ok(())
        })
    }

    /// Looks for races of a program's threads besides: what they share, the program's own code,
    /// functions that access memory for their callers, all code of the image.
    fn watch_program(
        &mut self,
        shared: Vec<Span>,
        code: Span,
        helpers: Vec<Span>,
        text: Span,
    ) -> PyResult<()> {
        self.with(|machine| {
            machine.watch_program(ProgramMemory { shared, code, helpers, text });
            Ok(())
        })
    }

    /// The races of a program's threads, and how many more there was no place for.
    fn program_races<'py>(&mut self, py: Python<'py>) -> PyResult<(Bound<'py, PyList>, u64)> {
        self.with(|machine| {
            let (races, dropped) = machine.program_races();
            let list = PyList::empty(py);
            for found in &races {
                list.append(race(py, found)?)?;
            }
            Ok((list, dropped))
        })
    }

    /// Checks a program's blocks of memory: where they may lie, the program's own code, other code
    /// that is watched, all code of the image, what allocates, whether all cores share an address
    /// space.
    fn watch_blocks(
        &mut self,
        shared: Vec<Span>,
        code: Span,
        helpers: Vec<Span>,
        text: Span,
        allocators: Vec<AllocatorRow>,
        one: bool,
    ) -> PyResult<()> {
        self.with(|machine| {
            let memory = ProgramMemory { shared, code, helpers, text };
            machine.watch_blocks(memory, allocators.iter().map(allocator).collect(), one);
            Ok(())
        })
    }

    /// Also follows each instruction of the program whose blocks are checked: `code` is all code of
    /// the program and of the kernel, in parts of which each has its first address; `layer` the
    /// parts that work for the program's threads.
    fn watch_values(&mut self, code: Vec<(u32, Vec<u8>)>, layer: Vec<(u32, u32)>) -> PyResult<()> {
        self.with(|machine| {
            machine.watch_values(code, layer);
            Ok(())
        })
    }

    /// Mistakes with blocks of memory, and how many more there was no place for.
    fn block_findings<'py>(&mut self, py: Python<'py>) -> PyResult<(Bound<'py, PyList>, u64)> {
        self.with(|machine| {
            let (findings, dropped) = machine.block_findings();
            let list = PyList::empty(py);
            for found in &findings {
                list.append(block_finding(py, found)?)?;
            }
            Ok((list, dropped))
        })
    }

    /// The blocks that are not freed, and for each whether nothing points to it; `roots` is where
    /// the program keeps pointers besides.
    fn live_blocks<'py>(
        &mut self,
        py: Python<'py>,
        roots: Vec<Span>,
    ) -> PyResult<Bound<'py, PyList>> {
        self.with(|machine| {
            let list = PyList::empty(py);
            for live in machine.live_blocks(&roots) {
                list.append((named_block(py, &live.block)?, live.lost))?;
            }
            Ok(list)
        })
    }

    /// Functions begin and return at these addresses of ring 3, for the check of blocks.
    fn set_check_borders(&mut self, core: usize, first: Vec<u32>, last: Vec<u32>) -> PyResult<()> {
        self.with_core(core, |machine, core| {
            for (addresses, note) in [(first, ProbeNote::Entered), (last, ProbeNote::Left)] {
                let kind = ProbeKind { user_only: true, note: Some(note), ..ProbeKind::default() };
                addresses.into_iter().for_each(|address| machine.set_probe(core, address, kind));
            }
            Ok(())
        })
    }

    /// The instructions at these addresses of ring 3 are marks: EAX has the address of an object.
    /// Calls of allocators come back to `returns`; threads' events begin at `events`.
    fn set_check_marks(
        &mut self,
        core: usize,
        releases: Vec<u32>,
        acquires: Vec<u32>,
        returns: Vec<u32>,
        events: Vec<u32>,
    ) -> PyResult<()> {
        self.with_core(core, |machine, core| {
            let marks = [
                (releases, ProbeNote::Release),
                (acquires, ProbeNote::Acquire),
                (returns, ProbeNote::Returned),
                (events, ProbeNote::Event),
            ];
            for (addresses, note) in marks {
                let kind = ProbeKind { user_only: true, note: Some(note), ..ProbeKind::default() };
                addresses.into_iter().for_each(|address| machine.set_probe(core, address, kind));
            }
            Ok(())
        })
    }

    /// Where this core's page tables have a linear address now; `None` if unmapped.
    fn translate(&mut self, core: usize, address: u32) -> PyResult<Option<u32>> {
        self.with_core(core, |machine, core| Ok(machine.translate_linear(core, address)))
    }

    /// What the checker has found, in the order of the first occurrence.
    fn check_findings<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.with(|machine| {
            let list = PyList::empty(py);
            for found in machine.check_findings() {
                list.append(finding(py, &found)?)?;
            }
            Ok(list)
        })
    }

    /// How often something went wrong at places beyond those that are kept.
    fn check_findings_dropped(&mut self) -> PyResult<u64> {
        self.with(|machine| Ok(machine.check_findings_dropped()))
    }

    /// What the checker has forgotten so that the host's memory is bounded.
    fn check_forgotten(&mut self) -> PyResult<u64> {
        self.with(|machine| Ok(machine.check_forgotten()))
    }
}
