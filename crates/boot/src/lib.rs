//! boot
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct EntryState { pub eip: u32, pub eax: u32, pub ebx: u32 }
