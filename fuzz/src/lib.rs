//! Fuzz targets: whatever bytes a reader is given, it answers with a result or an error, never
//! with a crash or a hang; whatever code a core is given, it runs or says why not, the same way
//! each time.
//!
//! A target is a function of bytes. Two engines drive it: `property` mutates the target's own
//! examples by a fixed sequence of random numbers and shrinks what fails (`make test`; also where
//! there is no C++ compiler), `guided` is libFuzzer, led by coverage (`make fuzz`). Inputs that
//! once failed are kept in `fuzz/found` and tried first.

pub mod code;
pub mod files;
pub mod gdb;
pub mod kernels;
pub mod logs;
pub mod packets;
pub mod property;
pub mod small;
pub mod snapshots;
pub mod texts;

/// Something that takes bytes from outside.
pub struct Target {
    pub name: &'static str,
    /// Panics if the bytes break it.
    pub run: fn(&[u8]),
    /// Inputs that get far.
    pub examples: fn() -> Vec<Vec<u8>>,
    /// Cases that take about a second with the property engine.
    pub cases: u32,
}

pub const TARGETS: &[Target] = &[
    Target { name: "elf", run: texts::elf, examples: texts::elf_examples, cases: 4000 },
    Target {
        name: "memory-object",
        run: texts::memory_object,
        examples: texts::memory_object_examples,
        cases: 4000,
    },
    Target {
        name: "lut-data",
        run: texts::lut_data,
        examples: texts::lut_data_examples,
        cases: 4000,
    },
    Target { name: "packets", run: packets::of_a_core, examples: packets::examples, cases: 4000 },
    Target {
        name: "description",
        run: texts::description,
        examples: texts::description_examples,
        cases: 300,
    },
    Target {
        name: "snapshot",
        run: snapshots::file,
        examples: snapshots::file_examples,
        cases: 500,
    },
    Target {
        name: "snapshot-contents",
        run: snapshots::contents,
        examples: snapshots::contents_examples,
        cases: 200,
    },
    Target {
        name: "file-service",
        run: files::messages,
        examples: files::message_examples,
        cases: 1000,
    },
    Target {
        name: "file-service-saved",
        run: files::saved,
        examples: files::saved_examples,
        cases: 1000,
    },
    Target { name: "commit-log", run: logs::file, examples: logs::file_examples, cases: 1000 },
    Target { name: "gdb", run: gdb::packets, examples: gdb::packet_examples, cases: 100 },
    Target { name: "monitor", run: gdb::monitor, examples: gdb::monitor_examples, cases: 500 },
    Target { name: "code", run: code::any_mode, examples: code::examples, cases: 300 },
    Target { name: "kernel", run: kernels::kernel, examples: kernels::kernel_examples, cases: 100 },
    Target { name: "image", run: kernels::image, examples: kernels::image_examples, cases: 100 },
];

/// The target of a name.
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Where inputs that once failed are kept.
pub fn found(target: &Target) -> Vec<(String, Vec<u8>)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("found").join(target.name);
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut inputs: Vec<_> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            Some((path.file_name()?.to_string_lossy().into_owned(), std::fs::read(&path).ok()?))
        })
        .collect();
    inputs.sort();
    inputs
}
