//! The crate's tests in one program: each file of this folder is a module of it.

mod attacks;
mod common;
mod files;
mod links;
mod locks;
mod open_files;
