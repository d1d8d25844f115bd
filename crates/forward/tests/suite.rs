//! The crate's tests in one program: each file of this folder is a module of it.

mod connections;
