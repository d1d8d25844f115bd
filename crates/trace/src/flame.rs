//! Where simulated time went, by the functions that were open: a flame graph's numbers.

use rustc_hash::FxHashMap;

use crate::names::{Name, Names};

/// The place of a function in the tree of its callers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Node(u32);

/// The tree of one core. Its root is no function.
#[derive(Debug)]
pub struct Flame {
    /// Caller, name, own time.
    nodes: Vec<(Node, Name, u64)>,
    callees: FxHashMap<(Node, Name), Node>,
    last_ps: u64,
}

impl Default for Flame {
    fn default() -> Flame {
        let nodes = vec![(Node(0), Name(0), 0)];
        Flame { nodes, callees: FxHashMap::default(), last_ps: 0 }
    }
}

impl Flame {
    /// The time since the last call was spent here.
    pub fn spend(&mut self, at: Node, now_ps: u64) {
        self.nodes[at.0 as usize].2 += now_ps.saturating_sub(self.last_ps);
        self.last_ps = self.last_ps.max(now_ps);
    }

    pub fn call(&mut self, from: Node, name: Name) -> Node {
        let next = Node(self.nodes.len() as u32);
        let node = *self.callees.entry((from, name)).or_insert(next);
        if node == next {
            self.nodes.push((from, name, 0));
        }
        node
    }

    /// Stacks with a time of their own in nanoseconds, as `outer;inner 12`.
    pub fn collapsed(&self, names: &Names, before: &str) -> Vec<String> {
        let line = |&(mut from, name, ps): &(Node, Name, u64)| {
            let mut path = vec![names.text(name)];
            while from != Node(0) {
                let (next, name, _) = self.nodes[from.0 as usize];
                path.push(names.text(name));
                from = next;
            }
            path.push(before);
            path.reverse();
            format!("{} {}", path.join(";"), ps / 1000)
        };
        self.nodes[1..].iter().filter(|(_, _, ps)| *ps >= 1000).map(line).collect()
    }
}
