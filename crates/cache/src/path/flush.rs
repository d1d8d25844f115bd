//! WBINVD, INVD and the reset pins.
//!
//! WBINVD and INVD act on L1 only: the SCC's L2 has no connection to them (`scc-linux-2011`,
//! `barrelfish-tn005`). Neither instruction changes the write-combine buffer.

use rockcreek_defs::CoreAddr;

use crate::path::data_path::need;
use crate::path::hierarchy::{BusSide, Caches, Step};

impl Caches {
    /// WBINVD: writes the dirty lines of L1D back (into L2 where L2 has the line) and empties both
    /// L1 caches. Returns [`Step::Need`] for each write-back to memory; the core calls this again
    /// after each transaction until the result is [`Step::Done`].
    pub fn wbinvd(&mut self) -> Step<()> {
        for line in 0..self.l1d.array.len() {
            if let Some(write_back) = self.write_back_l1d(line) {
                return need(write_back);
            }
        }
        self.invd();
        Step::Done { value: (), cycles: self.served_by_l2(0) }
    }

    /// INVD: empties both L1 caches; dirty lines are lost.
    pub fn invd(&mut self) {
        self.l1d.array.invalidate_all();
        self.l1i.array.invalidate_all();
    }

    /// The addresses of the lines whose stores INVD would lose: the dirty lines of L1D.
    pub fn dirty_lines(&self) -> Vec<CoreAddr> {
        let l1d = &self.l1d.array;
        (0..l1d.len()).filter(|line| l1d.is_dirty(*line)).map(|line| l1d.address(line)).collect()
    }

    /// The core's RESET: empties L1I, L1D, the write-combine and the prefetch buffer. Event counts
    /// keep their values; L2 stays as it is.
    pub fn reset_l1(&mut self) {
        self.invd();
        self.bus = BusSide { stats: self.bus.stats, ..BusSide::default() };
    }

    /// The reset of the core's L2, by a bit of GCBCFG: empties L2; dirty lines are lost.
    pub fn reset_l2(&mut self) {
        self.l2.array.invalidate_all();
    }

    /// Turns L2 on (true) or off (false); the WAYDISABLE bit of L2CFG is the inverse of `enabled`.
    /// Lines stay in L2 when it is off.
    pub fn set_l2_enabled(&mut self, enabled: bool) {
        self.l2.enabled = enabled;
        if let Some(quick) = &mut self.l2.array.quick {
            quick.close_all();
        }
    }
}
