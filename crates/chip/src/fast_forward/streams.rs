//! The streams of all waiting cores: the users of each link and port, and the times of their
//! reservations.

use rockcreek_defs::{CoreId, Ps};
use rockcreek_engine::Key;

use crate::fast_forward::periodic_stream::{PeriodicStream, Reservation, Use};

/// The periodic streams of all waiting cores: by core (`None` if the core is no stream), and by the
/// links and ports that they use.
#[derive(Clone, Debug, Default)]
pub(crate) struct PeriodicStreams {
    pub(crate) by_core: Vec<Option<Box<PeriodicStream>>>,
    /// For each link and port, the cores whose streams use it.
    pub(crate) by_resource: Vec<Vec<u16>>,
    pub(crate) running: usize,
}

impl PeriodicStreams {
    pub fn new(cores: usize, resources: usize) -> PeriodicStreams {
        PeriodicStreams {
            by_core: vec![None; cores],
            by_resource: vec![Vec::new(); resources],
            running: 0,
        }
    }

    pub fn are_running(&self) -> bool {
        self.running > 0
    }

    pub(crate) fn stream(&self, core: u16) -> &PeriodicStream {
        self.by_core[usize::from(core)].as_ref().expect("a listed stream runs")
    }

    /// The time until which streams hold a link or port with reservations that come before `key` in
    /// the order of events; 0 if none does.
    pub(crate) fn busy_until(&self, resource: usize, key: Key) -> Ps {
        let ends = self.uses_of(resource).map(|(_, stream, used)| stream.busy_until(used, key));
        ends.fold(Ps(0), Ps::max)
    }

    /// A core whose stream the reservation `by` of a link or port would delay; `None` if there is
    /// none.
    pub(crate) fn put_off(&self, resource: usize, by: &Reservation) -> Option<CoreId> {
        let mut uses = self.uses_of(resource);
        uses.find(|(_, stream, used)| stream.is_put_off(used, by)).map(|(core, ..)| core)
    }

    pub(crate) fn uses_of(
        &self,
        resource: usize,
    ) -> impl Iterator<Item = (CoreId, &PeriodicStream, &Use)> {
        self.by_resource[resource].iter().flat_map(move |core| {
            let stream = self.stream(*core);
            let uses = stream.uses.iter().filter(move |used| used.resource == resource);
            uses.map(move |used| (CoreId(*core), stream, used))
        })
    }

    /// True if the stream waits for a stream of another period, so that its waits change from round
    /// to round.
    pub(crate) fn is_unsteady(&self, stream: &PeriodicStream) -> bool {
        let waits = stream.uses.iter().filter(|used| used.waited_ps > 0);
        let mut others = waits.flat_map(|used| &self.by_resource[used.resource]);
        others.any(|other| self.stream(*other).period_ps != stream.period_ps)
    }

    /// A core whose stream waits for a link or port that `stream` holds; `None` if there is none.
    pub(crate) fn behind(&self, stream: &PeriodicStream) -> Option<CoreId> {
        let resources = stream.uses.iter().map(|used| used.resource);
        let mut others = resources.flat_map(|resource| {
            self.by_resource[resource].iter().map(move |core| (*core, resource))
        });
        let waiting = others.find(|(core, resource)| self.stream(*core).waits_for(*resource));
        waiting.map(|(core, _)| CoreId(core))
    }

    /// The number of rounds, at most `most`, that a stream can make before it and another stream
    /// delay each other.
    pub(crate) fn rounds_for(&self, stream: &PeriodicStream, most: u64) -> u64 {
        let mut rounds = most;
        for used in &stream.uses {
            for other in &self.by_resource[used.resource] {
                rounds = stream.rounds_beside(self.stream(*other), rounds);
            }
        }
        rounds
    }

    pub(crate) fn insert(&mut self, core: CoreId, stream: PeriodicStream) {
        for used in &stream.uses {
            self.by_resource[used.resource].push(core.0);
        }
        self.by_core[core.index()] = Some(Box::new(stream));
        self.running += 1;
    }

    pub(crate) fn remove(&mut self, core: CoreId) -> Option<Box<PeriodicStream>> {
        let stream = self.by_core[core.index()].take()?;
        for used in &stream.uses {
            self.by_resource[used.resource].retain(|other| *other != core.0);
        }
        self.running -= 1;
        Some(stream)
    }
}
