//! The chip's power: counts of all units, energies by domain, and changes of voltage.
//!
//! [`activity`] collects the counts of every unit; [`energies`] computes energies from them, for
//! the guest's power meter, for an observer's series and for a result; [`voltage`] performs the
//! regulator's steps and finds tiles whose clock needs more than their voltage.
//!
//! Cores run ahead of the present, so they are brought to it before energies are added up, as for a
//! snapshot. The sums are then a function of the chip's state at a place in the order of events.
//! Energies do not depend on host threads, translation or skipped waiting, nor on other observers. This
//! module changes no behaviour of the chip, except with `strict_voltage`.

mod activity;
mod energies;
mod voltage;
