//! The trains of all waiting cores: who uses which link or port, and until when.

use rockcreek_defs::{CoreId, Ps};
use rockcreek_engine::Key;

use crate::fast_forward::periodic_stream::{Reservation, Train, Use};

/// The trains, by core and by what they use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trains {
    pub(crate) by_core: Vec<Option<Box<Train>>>,
    /// For each link and port the cores whose trains use it.
    pub(crate) by_resource: Vec<Vec<u16>>,
    pub(crate) running: usize,
}

impl Trains {
    pub fn new(cores: usize, resources: usize) -> Trains {
        Trains { by_core: vec![None; cores], by_resource: vec![Vec::new(); resources], running: 0 }
    }

    pub fn are_running(&self) -> bool {
        self.running > 0
    }

    pub(crate) fn train(&self, core: u16) -> &Train {
        self.by_core[usize::from(core)].as_ref().expect("a listed train runs")
    }

    /// Until when trains keep a resource before `key`.
    pub(crate) fn busy_until(&self, resource: usize, key: Key) -> Ps {
        let ends = self.uses_of(resource).map(|(_, train, used)| train.busy_until(used, key));
        ends.fold(Ps(0), Ps::max)
    }

    /// A train that this reservation would put off.
    pub(crate) fn put_off(&self, resource: usize, by: &Reservation) -> Option<CoreId> {
        let mut uses = self.uses_of(resource);
        uses.find(|(_, train, used)| train.is_put_off(used, by)).map(|(core, ..)| core)
    }

    pub(crate) fn uses_of(&self, resource: usize) -> impl Iterator<Item = (CoreId, &Train, &Use)> {
        self.by_resource[resource].iter().flat_map(move |core| {
            let train = self.train(*core);
            let uses = train.uses.iter().filter(move |used| used.resource == resource);
            uses.map(move |used| (CoreId(*core), train, used))
        })
    }

    /// Whether in each round the train waits behind others, and not always the same.
    pub(crate) fn is_unsteady(&self, train: &Train) -> bool {
        let waits = train.uses.iter().filter(|used| used.waited_ps > 0);
        let mut others = waits.flat_map(|used| &self.by_resource[used.resource]);
        others.any(|other| self.train(*other).period_ps != train.period_ps)
    }

    /// A train that waits where this one has been.
    pub(crate) fn behind(&self, train: &Train) -> Option<CoreId> {
        let resources = train.uses.iter().map(|used| used.resource);
        let mut others = resources.flat_map(|resource| {
            self.by_resource[resource].iter().map(move |core| (*core, resource))
        });
        let waiting = others.find(|(core, resource)| self.train(*core).waits_for(*resource));
        waiting.map(|(core, _)| CoreId(core))
    }

    /// How many rounds a train may run before it meets another.
    pub(crate) fn rounds_for(&self, train: &Train, most: u64) -> u64 {
        let mut rounds = most;
        for used in &train.uses {
            for other in &self.by_resource[used.resource] {
                rounds = train.rounds_beside(self.train(*other), rounds);
            }
        }
        rounds
    }

    pub(crate) fn insert(&mut self, core: CoreId, train: Train) {
        for used in &train.uses {
            self.by_resource[used.resource].push(core.0);
        }
        self.by_core[core.index()] = Some(Box::new(train));
        self.running += 1;
    }

    pub(crate) fn remove(&mut self, core: CoreId) -> Option<Box<Train>> {
        let train = self.by_core[core.index()].take()?;
        for used in &train.uses {
            self.by_resource[used.resource].retain(|other| *other != core.0);
        }
        self.running -= 1;
        Some(train)
    }
}
