//! The times of a chip description: the latency of each block, in cycles of its clock.

use rockcreek_memory::ControllerTiming;
use rockcreek_mesh::MeshTiming;
use rockcreek_tile::InterfaceTiming;
use serde::{Deserialize, Serialize};

use crate::description::clocks::Clocks;
use crate::description::reader::Reader;
use crate::description::{BYTES, CORE_CYCLES, DescriptionError};

const MESH_CYCLES: &str = "mesh cycles";
const MEMORY_CYCLES: &str = "memory cycles";
/// The longest time that a description may give one step: in cycles, and in picoseconds. Larger
/// values are mistakes, and could overflow a sum.
pub(crate) const LONGEST_CYCLES: u64 = 1_000_000;
pub(crate) const LONGEST_PS: u64 = 1_000_000_000_000;

/// Times that belong to the wiring rather than to one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WiringTiming {
    /// Mesh cycles from a core through its tile's router to a unit of that tile, one way.
    pub own_tile_mesh_cycles: u32,
    /// The time added to a request's way from the mesh to a memory controller, in core cycles; may
    /// be negative.
    pub memory_request_offset_core_cycles: i32,
    /// Core cycles by which the acknowledgement of a memory write leaves the controller later than
    /// the data of a read would.
    pub memory_write_core_cycles: u32,
    /// Mesh cycles for which one request occupies the port of a message buffer or of a register
    /// block.
    pub mpb_service_mesh_cycles: u32,
    pub crb_service_mesh_cycles: u32,
    /// `fpga_access_ps`: from a request's arrival at the system interface to its response there;
    /// `fpga_occupancy_ps`: how long the request keeps others waiting; `host_port_ps`: added for
    /// I/O ports and the host's window; `host_service_ps`: from a call of the host to its reply.
    pub fpga_access_ps: u64,
    pub fpga_occupancy_ps: u64,
    pub host_port_ps: u64,
    pub host_service_ps: u64,
}

type Timings = (MeshTiming, InterfaceTiming, ControllerTiming, WiringTiming);

pub(crate) fn timing(section: &mut Reader, clocks: &Clocks) -> Result<Timings, DescriptionError> {
    let [mut mesh, mut core, mut mpb, mut crb, mut memory, mut fpga, mut host] = [
        section.table("mesh")?,
        section.table("core")?,
        section.table("mpb")?,
        section.table("crb")?,
        section.table("memory")?,
        section.table("fpga")?,
        section.table("host")?,
    ];
    let mesh_timing = MeshTiming {
        period_ps: clocks.mesh_period_ps,
        hop_mesh_cycles: mesh.cycles("hop", MESH_CYCLES)?,
    };
    let interface = InterfaceTiming {
        request_core_cycles: core.cycles("request", CORE_CYCLES)?,
        response_core_cycles: core.cycles("response", CORE_CYCLES)?,
        combined_line_core_cycles: core.cycles("write_line_extra", CORE_CYCLES)?,
        bypass_core_cycles: core.cycles("bypass", CORE_CYCLES)?,
        header_flits: mesh.number("header_flits", "flits", 1..=64)? as u32,
        line_flits: mesh.number("line_flits", "flits", 1..=64)? as u32,
        flit_bytes: mesh.number("flit_bytes", BYTES, 1..=64)? as u32,
    };
    let controller = ControllerTiming {
        period_ps: clocks.memory_period_ps,
        access_memory_cycles: memory.cycles("access", MEMORY_CYCLES)?,
        word_occupancy_memory_cycles: memory.cycles("word_occupancy", MEMORY_CYCLES)?,
        line_occupancy_millicycles: memory.cycles("line_occupancy", "memory cycles / 1000")?,
        banks: memory.number("banks", "banks", 1..=1024)? as u32,
    };
    let least = -(interface.request_core_cycles as i64);
    let offset = memory.signed("request_offset", CORE_CYCLES, least..=LONGEST_CYCLES as i64)?;
    let wiring = WiringTiming {
        own_tile_mesh_cycles: mesh.cycles("own_tile", MESH_CYCLES)?,
        memory_request_offset_core_cycles: offset as i32,
        memory_write_core_cycles: memory.cycles("write_extra", CORE_CYCLES)?,
        mpb_service_mesh_cycles: mpb.cycles("service", MESH_CYCLES)?,
        crb_service_mesh_cycles: crb.cycles("service", MESH_CYCLES)?,
        fpga_access_ps: fpga.number("access", "ps", 0..=LONGEST_PS)?,
        fpga_occupancy_ps: fpga.number("occupancy", "ps", 0..=LONGEST_PS)?,
        host_port_ps: host.number("port", "ps", 0..=LONGEST_PS)?,
        host_service_ps: host.number("file_service", "ps", 0..=LONGEST_PS)?,
    };
    for part in [mesh, core, mpb, crb, memory, fpga, host] {
        part.finish()?;
    }
    Ok((mesh_timing, interface, controller, wiring))
}
