//! What the chip takes: counts of all units, energies by domain, and what changes a voltage.
//!
//! [`activity`] asks every unit what it has done, [`energies`] makes energies of that, for the
//! guest's power meter, for an observer's series and for a result; [`voltage`] carries out the
//! steps of the regulator and finds tiles whose clock needs more than they have.
//!
//! Cores run ahead of the present, so before anybody adds up, they are brought to it as for a
//! snapshot. What is added up is then a function of the chip's state at a place in the order of
//! events: it does not depend on host threads, translation or passed waiting, nor on who else
//! looked. Nothing here changes what a chip does, but for `strict_voltage`.

mod activity;
mod energies;
mod voltage;
