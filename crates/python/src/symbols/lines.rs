//! Lines of source text and functions that were put in place, by a program's debug information.

use std::sync::Arc;

use addr2line::gimli::{self, Dwarf, SectionId};
use addr2line::{Context, Location};
use object::{Object, ObjectSection};

use super::metered::{Meter, Metered};
use super::names::demangled;

/// Function, file and line, as far as they are known.
pub type Place = (Option<String>, Option<String>, Option<u32>);

/// Bytes of code of no line that a compiler puts in: a call that never returns, an epilogue.
const OF_NO_LINE: u64 = 64;
/// Units of one file, of which each takes two kilobytes: a web browser has half as many.
const MOST_UNITS: usize = 1 << 16;

pub struct Lines {
    /// None where the debug information is damaged, or too much.
    context: Option<Context<Metered>>,
    meter: Arc<Meter>,
}

impl Lines {
    pub fn new(file: Option<&object::File>, meter: Arc<Meter>) -> Self {
        let context = file.and_then(|file| meter.during(|| context(file, &meter)));
        Self { context, meter }
    }

    pub fn is_cut_short(&self) -> bool {
        self.meter.has_ended()
    }

    /// The file and line of an address; where the compiler has put in code of no line, those of the
    /// code before it.
    pub fn line(&self, address: u64) -> (Option<String>, Option<u32>) {
        let found = self.meter.during(|| self.located(address));
        found.map_or((None, None), |found| (found.file.map(str::to_owned), found.line))
    }

    fn located(&self, address: u64) -> Option<Location<'_>> {
        let here = self.find(address)?;
        if here.line.is_some() {
            return Some(here);
        }
        let mut before = (1..OF_NO_LINE).filter_map(|back| self.find(address.checked_sub(back)?));
        before.find(|one| one.line.is_some() && one.file == here.file).or(Some(here))
    }

    fn find(&self, address: u64) -> Option<Location<'_>> {
        let context = self.context.as_ref().filter(|_| !self.meter.is_empty())?;
        context.find_location(address).ok().flatten()
    }

    /// The functions at an address, innermost first.
    pub fn inlined(&self, address: u64) -> Vec<Place> {
        let mut places = Vec::new();
        self.each_frame(address, |frame| {
            let (file, line) = match &frame.location {
                Some(location) => (location.file.map(str::to_owned), location.line),
                None => (None, None),
            };
            let name = frame.function.as_ref().and_then(|function| function.raw_name().ok());
            places.extend(name.map(|name| (Some(demangled(&name)), file, line)));
            true
        });
        places
    }

    /// The file of the innermost function at an address that is none of Rust's own library.
    pub fn source_file(&self, address: u64) -> Option<String> {
        let mut file: Option<String> = None;
        self.each_frame(address, |frame| {
            file = frame.location.as_ref().and_then(|place| place.file).map(str::to_owned);
            let parts = ["/library/", "/rust/deps/"];
            file.as_ref().is_some_and(|name| parts.iter().any(|part| name.contains(part)))
        });
        file
    }

    /// The frames at an address, innermost first, as long as `more` says so.
    fn each_frame(&self, address: u64, mut more: impl FnMut(&addr2line::Frame<Metered>) -> bool) {
        self.meter.during(|| {
            let context = self.context.as_ref().filter(|_| !self.meter.is_empty())?;
            let mut frames = context.find_frames(address).skip_all_loads().ok()?;
            while let Ok(Some(frame)) = frames.next() {
                if !more(&frame) {
                    break;
                }
            }
            Some(())
        });
    }
}

fn context(file: &object::File, meter: &Arc<Meter>) -> Option<Context<Metered>> {
    let section = |id: SectionId| -> Result<Metered, gimli::Error> {
        let data = file.section_by_name(id.name()).and_then(|section| section.data().ok());
        Ok(Metered::new(data.unwrap_or(&[]), meter))
    };
    let dwarf = Dwarf::load(section).ok()?;
    let mut units = dwarf.units();
    let mut count = 0;
    while let Ok(Some(_)) = units.next() {
        count += 1;
    }
    if count > MOST_UNITS {
        meter.stop();
        return None;
    }
    Context::from_dwarf(dwarf).ok()
}
