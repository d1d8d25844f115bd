//! The four memory controllers with their DRAM, and the map that software boots with.
//!
//! Modelled: contents (host memory only for pages that were written), access time, occupancy of
//! banks and of the data bus. Left out: refresh, rows left open, ECC, training.

pub mod address_map;
pub mod controller;
pub mod ddr3;
pub mod pages;

pub use address_map::AddressMap;
pub use controller::{Access, Controller, ControllerTiming};
pub use ddr3::Dram;
pub use pages::Pages;
