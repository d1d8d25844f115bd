//! Host instructions and memory for code: the assembler, registers, offsets into core and frame,
//! short encodings.
//! Nothing here depends on guest instructions.

pub(crate) mod assembler;
pub(crate) mod code_memory;
pub(crate) mod high_bytes;
pub(crate) mod host_registers;
pub(crate) mod offsets;
pub(crate) mod operand_sizes;
pub(crate) mod short_encodings;
