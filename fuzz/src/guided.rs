//! The targets under libFuzzer: one program, `RCK_FUZZ_TARGET` says which target.
#![no_main]

use std::sync::OnceLock;

use rockcreek_fuzz::{Target, find};

static TARGET: OnceLock<&Target> = OnceLock::new();

fn target() -> &'static Target {
    let name = std::env::var("RCK_FUZZ_TARGET").expect("RCK_FUZZ_TARGET names a target");
    find(&name).unwrap_or_else(|| panic!("there is no target {name}"))
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| (TARGET.get_or_init(target).run)(data));
