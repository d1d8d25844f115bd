//! Finds the translated code for a place, and translates the place if it has none.
//!
//! Code is translated for as few states as possible: without what does not matter to its first
//! instructions (`Carried::simplified`). All other states lead to the same code. The checks before
//! a block need the whole state if they fail, so code is entered with what tells it (`Target`).

use rockcreek_defs::LINE_BYTES;

use super::collect::{Region, Source};
use super::pipeline_state::Carried;
use crate::code_cache::interface::is_host_code_denied;
use crate::core::bus::Bus;
use crate::core::parts::Core;
use crate::state::fetched_lines::VersionId;
use crate::translator::x64::{self, Departure, Stubs};
use crate::translator::{CodeCache, HEAT, Known, MAX_CODE_BYTES, Place, Translations};

const LINE: u32 = LINE_BYTES as u32;

impl CodeCache {
    /// The host address of the translated code for the core's EIP and its present state. Code that
    /// has been executed often is translated now, and the state's number is stored in
    /// `HostFrame::carried`; for other code, only the execution is counted. `None` if there is no
    /// translated code.
    #[inline]
    pub(crate) fn translated(&mut self, core: &mut Core) -> Option<u64> {
        let (eip, user) = (core.state.eip, core.state.cpl == 3);
        let translations = self.translations.as_mut()?;
        let place = eip as usize % HEAT;
        let heat = &mut translations.heat[place];
        if *heat < translations.hot {
            *heat += 1;
            return None;
        }
        let guess = &mut translations.carried_last[place];
        *guess = translations.carries.number_of(&core.state, *guess);
        let carried = *guess;
        core.host.carried = carried;
        if let Some(entry) = translations.targets.get(eip, user, carried) {
            return Some(entry);
        }
        let version = core.fetched.version(eip, user)?;
        let entry = self.entry(core, Place { eip, user, version, carried });
        let translations = self.translations.as_mut()?;
        match entry {
            Some(entry) => translations.targets.put(eip, user, carried, entry),
            None => translations.heat[eip as usize % HEAT] = 0,
        }
        entry
    }

    fn entry(&mut self, core: &mut Core, place: Place) -> Option<u64> {
        match self.translations.as_ref()?.places.get(&place) {
            Some(Known::Translated(entry)) => Some(*entry),
            Some(Known::Refused) => None,
            None => self.new_entry(core, place),
        }
    }

    /// Finds the translated code for a place whose state differs only in what does not matter to
    /// the code; translates it if there is none.
    #[cold]
    fn new_entry(&mut self, core: &mut Core, place: Place) -> Option<u64> {
        if is_host_code_denied() {
            return None;
        }
        let simplified = |mut source: Source<'_>| source.simplified(place.eip, place.carried);
        let carried = self.with_source(core, place.user, simplified)??;
        let simplified = Place { carried, ..place };
        let known = self.translations.as_ref()?.places.get(&simplified).copied();
        let known = known.or_else(|| self.translate(core, simplified))?;
        self.translations.as_mut()?.places.insert(place, known);
        match known {
            Known::Translated(entry) => Some(entry),
            Known::Refused => None,
        }
    }

    /// Reads the code with what the translator knows of it; `None` if there are no translations.
    fn with_source<T>(
        &mut self,
        core: &Core,
        user: bool,
        read: impl FnOnce(Source<'_>) -> T,
    ) -> Option<T> {
        let mut carries = std::mem::take(&mut self.translations.as_mut()?.carries);
        let result = read(Source {
            code: self,
            fetched: &core.fetched,
            carries: &mut carries,
            l2_cycles: u64::from(core.l2_cycles()),
            misaligned_cycles: u64::from(core.config.misaligned_cycles),
            user,
        });
        self.translations.as_mut()?.carries = carries;
        Some(result)
    }

    /// Translates the region of a place; `None` if a line of it is not in L1I now.
    fn translate(&mut self, core: &mut Core, place: Place) -> Option<Known> {
        let translations = self.translations.as_mut()?;
        if translations.stubs.is_none() {
            translations.stubs = Some(Stubs::new(translations.tally, &mut translations.memory)?);
        }
        core.refresh_quick();
        let collect = |source: Source<'_>| Region::collect(source, place.eip, place.carried);
        let region = self.with_source(core, place.user, collect)?;
        let entries = self.transfers.clone();
        let translations = self.translations.as_mut()?;
        if region.blocks.is_empty() {
            return None;
        }
        let places: Vec<_> = region.blocks.iter().map(|block| block.place(place.user)).collect();
        let possible =
            places[0].is_some() && core.host.quick != 0 && translations.code_bytes < MAX_CODE_BYTES;
        let compiled = if possible {
            let Translations { stubs, carries, memory, .. } = translations;
            x64::compile(core, region, entries, stubs.as_ref()?, carries, memory)
        } else {
            None
        };
        let Some(compiled) = compiled else {
            translations.places.insert(place, Known::Refused);
            self.note_translation(None);
            return Some(Known::Refused);
        };
        let (entry, bytes) = (compiled.entries[0], compiled.bytes);
        let known = places.into_iter().zip(&compiled.entries);
        translations
            .places
            .extend(known.filter_map(|(place, entry)| Some((place?, Known::Translated(*entry)))));
        translations.code_bytes += bytes;
        translations.compiled.push(compiled);
        self.note_translation(Some(bytes));
        Some(Known::Translated(entry))
    }

    /// True if there is translated code for this place.
    pub(crate) fn has_translated(&self, place: &Place) -> bool {
        let known = |translations: &Translations| translations.places.get(place).copied();
        matches!(self.translations.as_ref().and_then(known), Some(Known::Translated(_)))
    }

    pub(crate) fn enter(&self, core: &mut Core, entry: u64, bus: &mut dyn Bus) -> Departure {
        let x87 = self.translated_code().carries.get(core.host.carried).x87;
        let loaded = x87.filter(|x87| x87.loaded).map(|x87| x87.top);
        self.enter_at(core, entry, loaded, bus)
    }

    /// Runs translated code from the host address `entry` on. `loaded`: `Some` if the code expects
    /// the x87's registers in the host's x87, with this top of the stack; `None` if it expects them
    /// in the core. Returns why the code was left.
    pub(crate) fn enter_at(
        &self,
        core: &mut Core,
        entry: u64,
        loaded: Option<u8>,
        bus: &mut dyn Bus,
    ) -> Departure {
        let translations = self.translated_code();
        let stubs = translations.stubs();
        core.host.raw_flags = core.raw_flags();
        let host = &mut core.host;
        host.leave_stub = stubs.leave;
        host.targets = translations.targets.address();
        host.branch_targets = core.branches.entries().as_ptr() as u64;
        host.recent_code = core.tlbs.code.uses.as_ptr() as u64;
        host.code_entries = core.tlbs.code.entries.as_ptr() as u64;
        host.resume_in = translations.number;
        self.enter_again(core, entry, loaded, bus)
    }

    /// Like [`CodeCache::enter_at`], but for a core of which nothing has changed since these
    /// translations were last left.
    #[inline]
    pub(crate) fn enter_again(
        &self,
        core: &mut Core,
        entry: u64,
        loaded: Option<u8>,
        mut bus: &mut dyn Bus,
    ) -> Departure {
        let translations = self.translated_code();
        core.host.code = std::ptr::from_ref(self) as u64;
        core.host.answers = u32::from(bus.answers());
        core.host.bus = &raw mut bus as u64;
        let departure = translations.stubs().enter(core, entry, loaded);
        core.host.bus = 0;
        departure
    }

    #[inline]
    pub(crate) fn translated_code(&self) -> &Translations {
        self.translations.as_ref().expect("code was translated")
    }

    /// True if these translations still have the number `number`: they have not been dropped since.
    #[inline]
    pub(crate) fn is_number(&self, number: u64) -> bool {
        self.translations.as_ref().is_some_and(|translations| translations.number == number)
    }

    /// Removes an indirect target from the table, because its code is no longer valid.
    #[cold]
    pub(crate) fn forget_target(&mut self, eip: u32, carried: u32) {
        if let Some(translations) = &mut self.translations {
            translations.targets.forget(eip, carried);
        }
    }

    #[inline]
    pub(crate) fn carried(&self, number: u32) -> &Carried {
        self.translated_code().carries.get(number)
    }

    /// The number in `Carries` of the state with the pipes with which translated code was left and
    /// the core's x87.
    pub(crate) fn carried_with_x87(&mut self, core: &Core) -> u32 {
        let translations = self.translations.as_mut().expect("code was translated");
        translations.carries.number_with_x87(core.host.carried, &core.state)
    }

    /// Fetches the line of `eip`, if that takes at most a page walk in L1D and one access to L2;
    /// otherwise `None`. If the fetch took time, the pipes have emptied (`HostFrame::carried`).
    fn fetch(&mut self, core: &mut Core, eip: u32) -> Option<VersionId> {
        if let Some(version) = core.fetch_at_once(eip) {
            return Some(version);
        }
        let begun = core.state.cycles;
        let known = |line, bytes: &[u8; LINE_BYTES]| Some(self.decoded.version(line, bytes));
        let (version, gap) = core.fetch_soon(eip, None, known)?;
        if gap {
            let carries = &mut self.translations.as_mut()?.carries;
            let after = carries.get(core.host.carried).drained(core.state.cycles - begun);
            core.host.carried = carries.number(after);
        }
        Some(version)
    }

    /// Call after translated code was left for a place that may have translated code. Returns the
    /// host address of the code at EIP, which is translated if it is not yet; `None` if there is
    /// none. The next time, execution goes there directly from this exit (`CodeCache::lead`).
    pub(crate) fn link(&mut self, core: &mut Core) -> Option<u64> {
        let (eip, user, carried) = (core.state.eip, core.state.cpl == 3, core.host.carried);
        // This line is the next to be fetched in any case. Fetching it here allows the exit to be
        // joined even if the line's set of L1I has been used for other lines since.
        let version = self.fetch(core, eip)?;
        if self.decoded.block(version, eip % LINE, true).is_none() {
            self.fetch(core, (eip | (LINE - 1)).wrapping_add(1))?;
        }
        let place = Place { eip, user, version, carried };
        let entry = self.entry(core, place);
        if let Some(entry) = entry {
            self.lead(core.host.exit, place, entry);
        }
        if core.host.carried == carried {
            return entry;
        }
        // The fetch took time. The exit leads to code for the state before it, because that code
        // fetches its line itself; this time execution goes on with the pipes empty.
        let place = Place { carried: core.host.carried, ..place };
        let entry = self.entry(core, place)?;
        self.lead(0, place, entry);
        Some(entry)
    }

    /// Lets the exit with its table entry at `exit` lead to the code for a place; without an exit
    /// (0), notes the code as an indirect target.
    fn lead(&mut self, exit: u64, place: Place, entry: u64) {
        if exit != 0 {
            x64::join(exit, entry);
        } else if let Some(translations) = &mut self.translations {
            translations.targets.put(place.eip, place.user, place.carried, entry);
        }
    }
}
