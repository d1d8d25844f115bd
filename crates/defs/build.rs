//! Turns `machine/registers/*.toml` into Rust constants and the guest's `registers.h`.
//!
//! The tables are checked here: fields of a register sum to its width, names are unique, every
//! register has a source. A mistake in a table is a build error that names file and register.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// The blocks, in the order of the generated files.
const BLOCKS: [&str; 8] =
    ["tile_config", "lut", "fpga", "emac", "mailbox", "host", "serial", "vrc"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    block: String,
    title: String,
    source: Vec<String>,
    #[serde(default)]
    window: Vec<Window>,
    register: Vec<Register>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Window {
    name: String,
    address: u64,
    stride: Option<u64>,
    count: Option<u64>,
    title: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Register {
    name: String,
    title: String,
    offset: u32,
    stride: Option<u32>,
    count: Option<u32>,
    width: u32,
    access: String,
    reset: u64,
    status: String,
    /// Not on the SCC.
    #[serde(default)]
    extension: bool,
    fields: Vec<Field>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Field {
    name: String,
    lsb: u32,
    bits: u32,
    access: String,
    status: String,
    /// Not on the SCC.
    #[serde(default)]
    extension: bool,
    title: String,
}

impl Field {
    fn mask(&self) -> u64 {
        ((1u64 << self.bits) - 1) << self.lsb
    }
}

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../machine/registers");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let mut rust = String::new();
    let mut table =
        String::from("/// All blocks of registers.\npub static BLOCKS: &[Block] = &[\n");
    let mut header = header_start();
    for name in BLOCKS {
        let path = root.join(format!("{name}.toml"));
        println!("cargo::rerun-if-changed={}", path.display());
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let block: Block =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        check(&path, &block);
        rust_constants(&mut rust, &block);
        rust_table(&mut table, &block);
        c_block(&mut header, &block);
    }
    table.push_str("];\n");
    header.push_str("\n#endif\n");
    std::fs::write(out.join("registers.rs"), rust + &table).expect("OUT_DIR is writable");
    std::fs::write(out.join("registers.h"), header).expect("OUT_DIR is writable");
}

fn check(path: &Path, block: &Block) {
    let fail = |register: &str, what: &str| panic!("{}: {register}: {what}", path.display());
    if block.source.is_empty() {
        fail(&block.block, "no source");
    }
    let one_of = |value: &str, allowed: &[&str]| allowed.contains(&value);
    for register in &block.register {
        let name = &register.name;
        let mut next = 0;
        for field in &register.fields {
            if field.lsb != next || field.bits == 0 {
                fail(name, &format!("field {} does not start at bit {next}", field.name));
            }
            next += field.bits;
            if !one_of(&field.access, &["rw", "ro", "wo"])
                || !one_of(&field.status, &["modelled", "stored", "ignored"])
            {
                fail(name, &format!("field {}: unknown access or status", field.name));
            }
        }
        if next != register.width {
            fail(name, &format!("fields sum to {next} of {} bits", register.width));
        }
        if !one_of(&register.access, &["rw", "ro", "wo"])
            || !one_of(&register.status, &["modelled", "stored", "ignored"])
        {
            fail(name, "unknown access or status");
        }
        if register.count.is_some() != register.stride.is_some() {
            fail(name, "count and stride come together");
        }
        if block.register.iter().filter(|other| other.name == *name).count() > 1 {
            fail(name, "occurs twice");
        }
    }
}

fn rust_constants(out: &mut String, block: &Block) {
    writeln!(out, "/// {}.\npub mod {} {{", block.title, block.block).unwrap();
    for window in &block.window {
        writeln!(out, "    /// Core-physical address or port: {}.", window.title).unwrap();
        writeln!(out, "    pub const {}: u32 = {:#x};", window.name, window.address).unwrap();
        if let Some(stride) = window.stride {
            writeln!(out, "    /// Bytes from one `{}` to the next.", window.name).unwrap();
            writeln!(out, "    pub const {}_STRIDE: u32 = {stride:#x};", window.name).unwrap();
        }
    }
    for register in &block.register {
        let lower = register.name.to_lowercase();
        writeln!(out, "    /// {}.\n    pub mod {lower} {{", register.title).unwrap();
        let mut constant = |name: &str, doc: &str, value: u64| {
            writeln!(out, "        /// {doc}.\n        pub const {name}: u32 = {value:#x};")
                .unwrap();
        };
        constant("OFFSET", "Offset in the block's window", register.offset.into());
        constant("STRIDE", "Bytes from one to the next", register.stride.unwrap_or(0).into());
        constant("COUNT", "How many there are", register.count.unwrap_or(1).into());
        constant("RESET", "Value after power-on", register.reset);
        let writable = register.fields.iter().filter(|field| field.access != "ro").map(Field::mask);
        constant("WRITABLE", "Bits that a write changes", writable.sum());
        for field in register.fields.iter().filter(|field| !is_filler(field)) {
            let title = if field.title.is_empty() { "See the manual" } else { &field.title };
            let extension = if field.extension || register.extension { " (extension)" } else { "" };
            constant(&field.name, &format!("{title}{extension}"), field.mask());
            constant(&format!("{}_SHIFT", field.name), "Its lowest bit", field.lsb.into());
        }
        out.push_str("    }\n");
    }
    out.push_str("}\n\n");
}

fn rust_table(out: &mut String, block: &Block) {
    writeln!(
        out,
        "    Block {{ name: {:?}, title: {:?}, source: &{:?}, registers: &[",
        block.block, block.title, block.source
    )
    .unwrap();
    for register in &block.register {
        writeln!(
            out,
            "        Register {{ name: {:?}, title: {:?}, offset: {:#x}, stride: {}, count: {}, \
             width: {}, access: {:?}, reset: {:#x}, status: {:?}, fields: &[",
            register.name,
            register.title,
            register.offset,
            register.stride.unwrap_or(0),
            register.count.unwrap_or(1),
            register.width,
            register.access,
            register.reset,
            register.status
        )
        .unwrap();
        for field in &register.fields {
            writeln!(
                out,
                "            Field {{ name: {:?}, title: {:?}, lsb: {}, bits: {}, access: {:?}, \
                 status: {:?} }},",
                field.name, field.title, field.lsb, field.bits, field.access, field.status
            )
            .unwrap();
        }
        out.push_str("        ] },\n");
    }
    out.push_str("    ] },\n");
}

/// Unnamed bits need no accessor.
fn is_filler(field: &Field) -> bool {
    field.name.starts_with("RESERVED") || field.name == "VALUE"
}

fn header_start() -> String {
    "/* Generated from machine/registers by crates/defs/build.rs; do not edit. After a change of\n \
     * the tables: RCK_BLESS=1 cargo test -p rockcreek-defs. Usable from C and assembly. */\n\
     #ifndef SCC_REGISTERS_H\n#define SCC_REGISTERS_H\n"
        .into()
}

fn c_block(out: &mut String, block: &Block) {
    let prefix = format!("SCC_{}", block.block.to_uppercase());
    writeln!(out, "\n/* {} */", block.title).unwrap();
    for window in &block.window {
        let name = &window.name;
        writeln!(out, "#define {prefix}_{name} {:#010x}", window.address).unwrap();
        if let (Some(stride), Some(count)) = (window.stride, window.count) {
            writeln!(out, "#define {prefix}_{name}_STRIDE {stride:#010x}").unwrap();
            writeln!(out, "#define {prefix}_{name}_COUNT {count}").unwrap();
        }
    }
    for register in &block.register {
        let name = format!("{prefix}_{}", register.name);
        match register.stride {
            Some(stride) => {
                writeln!(out, "#define {name}(n) ({:#x} + {stride:#x} * (n))", register.offset)
            }
            None => writeln!(out, "#define {name} {:#x}", register.offset),
        }
        .unwrap();
        for field in register.fields.iter().filter(|field| !is_filler(field)) {
            writeln!(out, "#define {name}_{} {:#x}", field.name, field.mask()).unwrap();
            if field.bits > 1 {
                writeln!(out, "#define {name}_{}_SHIFT {}", field.name, field.lsb).unwrap();
            }
        }
    }
}
