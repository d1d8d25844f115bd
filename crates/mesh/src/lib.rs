//! The mesh: routers in rows and columns, dimension-ordered routes, links with reservations.
//!
//! No flit and no router is stepped. A packet reserves each link of its route at injection, in
//! injection order: a link that is busy delays the packet, and stays busy for the packet's flits.
//! Modelled: 4 cycles a hop including the link, virtual cut-through, link bandwidth. Left out:
//! virtual channels and finite buffers (a delayed packet holds no other link back); messages of
//! both classes share a link's bandwidth.

pub mod link;
pub mod mesh;
pub mod routing;

pub use link::Link;
pub use mesh::{Mesh, MeshTiming, Path};
pub use routing::{Direction, Routing};
