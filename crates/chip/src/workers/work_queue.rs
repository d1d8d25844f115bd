//! Windows that wait for a host thread: each lane has a pile of its cores' windows, and who has
//! come to the end of its own takes from the highest one.
//!
//! A core whose window is taken stays in the lane of the thread that took it: where that has its
//! decoded and translated code, and whose host caches now hold its state.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};

use crate::processor::Processor;
use crate::workers::threads::Window;

/// By lane.
pub(crate) struct Piles<'a, P: Processor> {
    piles: Vec<Pile<'a, P>>,
}

type Pile<'a, P> = Mutex<VecDeque<Window<'a, P>>>;

impl<'a, P: Processor> Piles<'a, P> {
    pub fn new(lanes: usize) -> Piles<'a, P> {
        let mut piles = Vec::new();
        piles.resize_with(lanes, Mutex::default);
        Piles { piles }
    }

    /// The window of a core that has a lane.
    pub fn put(&self, window: Window<'a, P>) {
        let lane = usize::from(window.slot.lane.unwrap_or(0));
        open(&self.piles[lane]).push_back(window);
    }

    /// The next one for the thread of this lane.
    pub fn take(&self, lane: usize) -> Option<Window<'a, P>> {
        if let Some(window) = open(&self.piles[lane]).pop_front() {
            return Some(window);
        }
        let highest = self.piles.iter().max_by_key(|pile| open(pile).len())?;
        let window = open(highest).pop_back()?;
        window.slot.lane = Some(lane as u16);
        Some(window)
    }
}

fn open<'p, 'a, P: Processor>(pile: &'p Pile<'a, P>) -> MutexGuard<'p, VecDeque<Window<'a, P>>> {
    pile.lock().expect("nothing panics that holds a pile")
}

#[cfg(test)]
mod tests {
    use rockcreek_cpu::Core;
    use rockcreek_defs::{CoreId, Pins, Ps};

    use super::*;
    use crate::description::Description;
    use crate::slot::Slot;

    const SCC: &str = include_str!("../../../../machine/presets/scc.toml");

    #[test]
    fn who_has_no_more_takes_of_the_highest_pile() {
        let chip = Description::parse(SCC).unwrap();
        let slot = |n| {
            let core = Core::new(CoreId(n), &chip.cpu);
            let mut slot = Slot::new(core, 1000, Pins::default());
            slot.lane = Some(n.min(1));
            slot
        };
        let mut slots: Vec<_> = (0..5).map(slot).collect();
        let piles = Piles::new(3);
        for slot in &mut slots {
            let until = Ps(slot.processor.id().0.into());
            piles.put(Window { slot, until, renew_cycles: None });
        }
        let mut take = |lane| {
            let window = piles.take(lane)?;
            assert_eq!(window.slot.lane, Some(lane as u16));
            Some(window.until.0)
        };
        assert_eq!(
            [0, 0, 2, 1, 0, 2, 1].map(&mut take),
            [Some(0), Some(4), Some(3), Some(1), Some(2), None, None]
        );
        drop(piles);
        assert_eq!([0, 1, 2, 3, 4].map(|n: usize| slots[n].lane), [0, 1, 0, 2, 0].map(Some));
    }
}
