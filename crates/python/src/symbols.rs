//! Addresses of a guest program in words: function, file, line, instruction.
//! A program may come from anybody, so that its debug information is read with bounds (`metered.rs`);
//! where they are met, lines are unknown.

mod lines;
mod metered;
mod names;

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use iced_x86::{Decoder, DecoderOptions, FlowControl, Formatter, IntelFormatter};
use object::{Object, ObjectSymbol, SymbolKind};
use pyo3::prelude::*;

use self::lines::{Lines, Place};
use self::metered::Meter;
pub(crate) use self::names::demangled;
use crate::guard::guarded;

/// Bytes of all names of functions: each symbol may begin within the name of another one.
const NAME_BYTES: usize = 64 << 20;

/// What a program's symbols and debug information say of its addresses. A damaged file, or one that
/// is made to hold its reader, has fewer names and lines.
#[pyclass(frozen)]
pub struct Symbols {
    functions: Functions,
    lines: Mutex<Lines>,
}

#[pymethods]
impl Symbols {
    #[new]
    fn new(elf: &[u8]) -> PyResult<Self> {
        guarded(|| {
            let file = object::File::parse(elf).ok();
            Ok(Self {
                functions: file.as_ref().map(Functions::new).unwrap_or_default(),
                lines: Mutex::new(Lines::new(file.as_ref(), Meter::new())),
            })
        })
    }

    /// Whether the debug information was too much to be read to its end.
    #[getter]
    fn is_cut_short(&self) -> bool {
        self.lines().is_cut_short()
    }

    /// For each address: function, source file and line, if the file names them.
    fn places(&self, addresses: Vec<u32>) -> PyResult<Vec<Place>> {
        guarded(|| {
            let lines = self.lines();
            Ok(addresses.into_iter().map(|address| self.place(&lines, address.into())).collect())
        })
    }

    /// The places of addresses with the functions that were inlined there, innermost first.
    fn inlined(&self, addresses: Vec<u32>) -> PyResult<Vec<Vec<Place>>> {
        guarded(|| {
            let lines = self.lines();
            let chain = |address: u32| match lines.inlined(address.into()) {
                places if !places.is_empty() => places,
                _ => vec![self.place(&lines, address.into())],
            };
            Ok(addresses.into_iter().map(chain).collect())
        })
    }
}

impl Symbols {
    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn place(&self, lines: &Lines, address: u64) -> Place {
        let (path, line) = lines.line(address);
        (self.functions.at(address), path, line)
    }
}

/// The functions of a file, by address and size.
#[derive(Default)]
struct Functions(Vec<(u64, u64, Box<str>)>);

impl Functions {
    fn new(file: &object::File) -> Self {
        let mut left = NAME_BYTES;
        let mut found: Vec<_> = file
            .symbols()
            .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition())
            .map_while(|symbol| {
                let name = symbol.name().unwrap_or_default();
                left = left.checked_sub(name.len())?;
                Some((symbol.address(), symbol.size(), name.into()))
            })
            .collect();
        found.sort_by_key(|&(address, size, _)| (address, size));
        Self(found)
    }

    /// The function whose range holds the address; one without a size ends where the next begins.
    fn at(&self, address: u64) -> Option<String> {
        let behind = self.0.partition_point(|&(start, _, _)| start <= address);
        let (start, size, name) = self.0.get(behind.checked_sub(1)?)?;
        let inside = *size == 0 || address - start < *size;
        (inside && !name.is_empty()).then(|| demangled(name))
    }
}

/// Names as their sources have them.
#[pyfunction]
pub fn demangle(names: Vec<String>) -> PyResult<Vec<String>> {
    guarded(|| Ok(names.iter().map(|name| demangled(name)).collect()))
}

/// For each address the source file, of a function that was put in place that of its caller while
/// it belongs to Rust's own library; of the engine itself.
#[pyfunction]
pub fn source_files(elf: &[u8], addresses: Vec<u64>) -> PyResult<Vec<Option<String>>> {
    guarded(|| {
        let lines = Lines::new(object::File::parse(elf).ok().as_ref(), Meter::without_end());
        Ok(addresses.into_iter().map(|address| lines.source_file(address)).collect())
    })
}

/// The instruction at the start of `code`, in Intel syntax; instructions that the cores do not
/// have are named too.
#[pyfunction]
pub fn disassemble(code: &[u8], address: u32) -> PyResult<String> {
    guarded(|| {
        let options = DecoderOptions::CL1INVMB;
        let mut decoder = Decoder::with_ip(32, code, address.into(), options);
        let mut text = String::new();
        IntelFormatter::new().format(&decoder.decode(), &mut text);
        Ok(text)
    })
}

/// The return instructions that a function reaches by its jumps, also by a jump into another
/// function. `code`: all code of the image, from `address` on; `function`: the first instruction.
/// Jumps through a table are not followed.
#[pyfunction]
pub fn returns_of(code: &[u8], address: u32, function: u32) -> PyResult<Vec<u32>> {
    guarded(|| {
        let (mut returns, mut seen) = (BTreeSet::new(), BTreeSet::new());
        let mut left = vec![function];
        while let Some(mut at) = left.pop() {
            while seen.insert(at) {
                let Some(rest) = at.checked_sub(address).and_then(|n| code.get(n as usize..))
                else {
                    break;
                };
                let options = DecoderOptions::CL1INVMB;
                let mut decoder = Decoder::with_ip(32, rest, at.into(), options);
                let instruction = decoder.decode();
                let flow = instruction.flow_control();
                if matches!(flow, FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch)
                {
                    left.push(instruction.near_branch32());
                }
                if flow == FlowControl::Return {
                    returns.insert(at);
                }
                match flow {
                    FlowControl::Return
                    | FlowControl::UnconditionalBranch
                    | FlowControl::IndirectBranch
                    | FlowControl::Exception => break,
                    _ => at = instruction.next_ip32(),
                }
            }
        }
        Ok(returns.into_iter().collect())
    })
}
