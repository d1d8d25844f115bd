//! The host process at the other end of the host channel: it serves files by 9P2000.L.
//!
//! The chip moves the messages without knowing them. Each core has a session of its own: fids, a
//! message size. What a guest sees of the host is normalised: directories are sorted, owners and
//! dates are fixed, inode numbers come from the path, and no name outside a shared folder is ever
//! revealed. Access goes through cap-std, so that neither `..` nor a symbolic link leads out.
//!
//! The message format is our own: of the crates that speak 9P2000.L one brings an asynchronous
//! runtime, one keeps its messages to itself, one is licensed otherwise.
//!
//! Files: `wire` (numbers and strings), `message` (requests), `session` (fids, dispatch), `data`
//! (opening, reading, writing), `open_files` (which of them the host has open), `names` (everything
//! about names), `listing` (names in a directory), `locks` (on bytes of a file), `share` (a
//! folder), `links` (what a guest plants there), `shares` (all of them), `attributes` (what a file
//! looks like), `saved` (sessions in a snapshot), `errno`.

mod attributes;
mod data;
mod errno;
mod links;
mod listing;
mod locks;
mod message;
mod names;
mod open_files;
mod saved;
mod service;
mod session;
mod share;
mod shares;
mod wire;

pub use saved::RestoreError;
pub use service::{FILE_SERVICE, FileService, Notices, ShareError, SharedNotices};
