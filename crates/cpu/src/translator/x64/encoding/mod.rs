//! Host instructions and their memory: registers, offsets into core and frame, short forms, memory
//! for code. Nothing here knows guest instructions.

pub(crate) mod code_memory;
pub(crate) mod high_bytes;
pub(crate) mod host_registers;
pub(crate) mod offsets;
pub(crate) mod operand_sizes;
pub(crate) mod short_encodings;
