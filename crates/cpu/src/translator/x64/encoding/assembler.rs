//! The assembler: code in two parts, fast and seldom, which lie apart in memory.
//!
//! Most bytes of a region are slow paths that are executed rarely. If they lay between the fast
//! paths, a large program's fast code would be spread over several times as many pages of the host,
//! more than its TLBs have entries.

use dynasmrt::components::{LabelRegistry, PatchLoc, RelocRegistry, StaticLabel};
use dynasmrt::x64::X64Relocation;
use dynasmrt::{AssemblyOffset, DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

/// The offset at which the seldom part begins for labels, until both parts have places in memory.
const SELDOM: usize = 1 << 30;
const ONCE: &str = "each label is defined once, in the code that is assembled";

/// The bytes of both parts of some code, or a number of bytes or an address of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts<T> {
    pub fast: T,
    pub seldom: T,
}

/// Collects code, first its fast part, then its seldom part.
#[derive(Debug)]
pub(crate) struct Assembler {
    code: Parts<Vec<u8>>,
    is_seldom: bool,
    labels: LabelRegistry,
    references: RelocRegistry<X64Relocation>,
    calls: Vec<Call>,
}

/// A call of code at a fixed address.
#[derive(Clone, Copy, Debug)]
struct Call {
    /// The offset at which the call, and its distance to the target, end.
    end: AssemblyOffset,
    address: u64,
}

/// The length of a distance in a call.
const DISTANCE: usize = size_of::<i32>();
/// A jump to the address that follows it in memory.
const JUMP: [u8; 6] = [0xFF, 0x25, 0, 0, 0, 0];

impl Assembler {
    pub fn new() -> Assembler {
        Assembler {
            code: Parts::default(),
            is_seldom: false,
            labels: LabelRegistry::new(),
            references: RelocRegistry::new(),
            calls: Vec::new(),
        }
    }

    pub fn new_dynamic_label(&mut self) -> DynamicLabel {
        self.labels.new_dynamic_label()
    }

    /// From here on, all code belongs to the seldom part.
    pub fn begin_seldom(&mut self) {
        self.is_seldom = true;
    }

    /// Emits the call of the code at an address, by its distance: the host need not predict the
    /// target, as it must for a call by a register or by memory.
    pub fn call(&mut self, address: u64) {
        dynasm!(self ; .arch x64 ; .u8 0xE8 ; .i32 0);
        self.calls.push(Call { end: self.offset(), address });
    }

    /// The number of bytes of each part; `far`: as for [`Assembler::link`].
    pub fn lengths(&self, far: bool) -> Parts<usize> {
        let thunks = if far { self.called().len() * (JUMP.len() + size_of::<u64>()) } else { 0 };
        Parts { fast: self.code.fast.len(), seldom: self.code.seldom.len() + thunks }
    }

    /// The addresses that are called, each once.
    fn called(&self) -> Vec<u64> {
        let mut called: Vec<_> = self.calls.iter().map(|call| call.address).collect();
        called.sort_unstable();
        called.dedup();
        called
    }

    /// The address of a label if the parts begin at these addresses.
    pub fn address(&self, label: DynamicLabel, places: Parts<u64>) -> u64 {
        let offset = self.labels.resolve_dynamic(label).expect(ONCE).0;
        places.fast + placed(offset, places) as u64
    }

    /// Lets all references to labels lead to them, for parts that begin at these addresses, less
    /// than 2 GB apart; returns the code. `far`: true if a called address may be too far for a
    /// call; calls then lead to jumps behind the seldom part.
    pub fn link(mut self, places: Parts<u64>, far: bool) -> Parts<Vec<u8>> {
        for (reference, label) in self.references.take_statics() {
            let target = self.labels.resolve_static(&label).expect(ONCE);
            patch(&mut self.code, reference, target.0, places);
        }
        for (reference, label) in self.references.take_dynamics() {
            let target = self.labels.resolve_dynamic(label).expect(ONCE);
            patch(&mut self.code, reference, target.0, places);
        }
        let thunks = if far { self.thunks(places) } else { Vec::new() };
        for &Call { end, address } in &self.calls {
            let thunk = thunks.iter().find(|(called, _)| *called == address);
            let target = thunk.map_or(address, |&(_, thunk)| thunk);
            let from = places.fast.wrapping_add(placed(end.0, places) as u64);
            let distance = i32::try_from(target.wrapping_sub(from) as i64).expect("it is near");
            let field = match end.0.checked_sub(SELDOM) {
                Some(end) => &mut self.code.seldom[end - DISTANCE..end],
                None => &mut self.code.fast[end.0 - DISTANCE..end.0],
            };
            field.copy_from_slice(&distance.to_le_bytes());
        }
        self.code
    }

    /// Puts a jump to each called address behind the seldom part; returns both addresses of each.
    fn thunks(&mut self, places: Parts<u64>) -> Vec<(u64, u64)> {
        let (called, seldom) = (self.called(), &mut self.code.seldom);
        let mut thunks = Vec::new();
        for address in called {
            thunks.push((address, places.seldom + seldom.len() as u64));
            seldom.extend(JUMP);
            seldom.extend(address.to_le_bytes());
        }
        thunks
    }

    fn part(&mut self) -> &mut Vec<u8> {
        if self.is_seldom { &mut self.code.seldom } else { &mut self.code.fast }
    }
}

/// Converts an offset for labels to the distance from the fast part's beginning.
fn placed(offset: usize, places: Parts<u64>) -> usize {
    match offset.checked_sub(SELDOM) {
        Some(within) => within.wrapping_add(places.seldom.wrapping_sub(places.fast) as usize),
        None => offset,
    }
}

fn patch(
    code: &mut Parts<Vec<u8>>,
    mut reference: PatchLoc<X64Relocation>,
    target: usize,
    places: Parts<u64>,
) {
    let field = match reference.location.0 >= SELDOM {
        true => &mut code.seldom[reference.range(SELDOM)],
        false => &mut code.fast[reference.range(0)],
    };
    // All references are relative, so only differences of the offsets count.
    reference.location = AssemblyOffset(placed(reference.location.0, places));
    reference.patch(field, 0, placed(target, places)).expect("both parts lie close together");
}

impl Extend<u8> for Assembler {
    fn extend<T: IntoIterator<Item = u8>>(&mut self, bytes: T) {
        self.part().extend(bytes);
    }
}

impl<'a> Extend<&'a u8> for Assembler {
    fn extend<T: IntoIterator<Item = &'a u8>>(&mut self, bytes: T) {
        self.part().extend(bytes);
    }
}

impl DynasmApi for Assembler {
    fn offset(&self) -> AssemblyOffset {
        AssemblyOffset(match self.is_seldom {
            true => SELDOM + self.code.seldom.len(),
            false => self.code.fast.len(),
        })
    }

    fn push(&mut self, byte: u8) {
        self.part().push(byte);
    }

    fn align(&mut self, alignment: usize, with: u8) {
        let part = self.part();
        part.resize(part.len().next_multiple_of(alignment), with);
    }
}

impl DynasmLabelApi for Assembler {
    type Relocation = X64Relocation;

    fn local_label(&mut self, name: &'static str) {
        let offset = self.offset();
        self.labels.define_local(name, offset);
    }

    fn global_label(&mut self, name: &'static str) {
        unreachable!("{name}: the translator has no global labels");
    }

    fn dynamic_label(&mut self, label: DynamicLabel) {
        let offset = self.offset();
        self.labels.define_dynamic(label, offset).expect(ONCE);
    }

    fn forward_relocation(
        &mut self,
        name: &'static str,
        target: isize,
        field: u8,
        base: u8,
        kind: X64Relocation,
    ) {
        let last = self.labels.place_local_reference(name);
        let label = last.map_or_else(|| StaticLabel::first(name), StaticLabel::next);
        let reference = PatchLoc::new(self.offset(), target, field, base, kind);
        self.references.add_static(label, reference);
    }

    fn backward_relocation(
        &mut self,
        name: &'static str,
        target: isize,
        field: u8,
        base: u8,
        kind: X64Relocation,
    ) {
        let label = self.labels.place_local_reference(name).expect(ONCE);
        let reference = PatchLoc::new(self.offset(), target, field, base, kind);
        self.references.add_static(label, reference);
    }

    fn global_relocation(&mut self, name: &'static str, _: isize, _: u8, _: u8, _: X64Relocation) {
        unreachable!("{name}: the translator has no global labels");
    }

    fn dynamic_relocation(
        &mut self,
        label: DynamicLabel,
        target: isize,
        field: u8,
        base: u8,
        kind: X64Relocation,
    ) {
        let reference = PatchLoc::new(self.offset(), target, field, base, kind);
        self.references.add_dynamic(label, reference);
    }

    fn value_relocation(&mut self, value: usize, _: u8, _: u8, _: X64Relocation) {
        unreachable!("{value:#x}: the translator refers to labels alone");
    }
}
