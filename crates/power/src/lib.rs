//! Where the energy goes: what each unit of the chip takes for what it does, in femtojoules.
//!
//! [`parameters`] names the parts of each kind of unit and what one event of a part costs;
//! [`accounts`] adds up a unit's counts weighted by the voltage that they happened at; [`series`]
//! keeps what an observer asked for: energies at fixed instants and at marks.
//!
//! Everything is integer. A unit's counts are those that it has anyway, so nothing is done while
//! a chip runs but where a voltage changes. Weighted counts are exact: at whatever instants
//! somebody looks on the way, the sums are the same. Only what is told is rounded down, part by
//! part, and a unit's or domain's energy is the sum of its parts as they are told.
//!
//! Left out: temperature, on which leakage depends; energy that differs with the data.

pub mod accounts;
pub mod parameters;
pub mod series;

pub use accounts::{Accounts, Population};
pub use parameters::{Kind, Part, PowerConfig, Scaling};
pub use series::{EnergySeries, MarkEnergy};
