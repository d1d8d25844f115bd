//! The energy that each unit of the chip consumes, in femtojoules.
//!
//! [`parameters`] names the parts of each kind of unit and what one event of a part costs;
//! [`accounts`] adds up a unit's counts weighted by the voltage that they happened at; [`series`]
//! keeps what an observer asked for: energies at fixed instants and at marks.
//!
//! Everything is integer. A unit's counts are those that it has anyway, so nothing is done while a
//! chip runs but where a voltage changes. Weighted counts are exact: the sums do not depend on the
//! instants at which an observer reads them. Only reported energies are rounded down, part by part;
//! the energy of a unit or domain is the sum of the rounded energies of its parts.
//!
//! Left out: temperature, on which leakage depends; energy that differs with the data.

pub mod accounts;
pub mod parameters;
pub mod series;

pub use accounts::{Accounts, Population};
pub use parameters::{Kind, Part, PowerConfig, Scaling};
pub use series::{EnergySeries, MarkEnergy};
