//! A short run of each target with the property engine, and all inputs that once failed.

use rockcreek_fuzz::{TARGETS, find, found, property};

fn smoke(name: &str) {
    let target = find(name).unwrap();
    for (file, data) in found(target) {
        eprintln!("{name}: {file}");
        (target.run)(&data);
    }
    if let Err((data, reason)) = property::run(target, 1, target.cases) {
        panic!("{name}: {reason}\ninput: {data:02x?}");
    }
}

macro_rules! smoke_tests {
    ($($name:ident $target:literal,)*) => {
        $(#[test] fn $name() { smoke($target); })*

        #[test]
        fn no_target_is_left_out() {
            let tested = [$($target),*];
            assert!(TARGETS.iter().all(|target| tested.contains(&target.name)));
        }
    };
}

smoke_tests! {
    elf "elf",
    memory_object "memory-object",
    lut_data "lut-data",
    description "description",
    snapshot "snapshot",
    snapshot_contents "snapshot-contents",
    file_service "file-service",
    file_service_saved "file-service-saved",
    commit_log "commit-log",
    gdb "gdb",
    monitor "monitor",
    code "code",
    kernel "kernel",
    image "image",
    packets "packets",
}
