//! A flame graph's numbers: the simulated time spent in each stack of functions.

use std::io::{Result, Write};

use rustc_hash::FxHashMap;

use crate::names::{Name, Names};

/// The largest number of different stacks of a core, and of functions in a stack. A call beyond
/// this limit counts as its caller's time. A guest determines both numbers, and they cost the host
/// memory.
const MOST_STACKS: usize = 1 << 16;
const DEEPEST: u16 = 128;
/// The largest number of bytes of text for a core's stacks; names of functions may have any length.
const MOST_BYTES: usize = 64 << 20;

/// A node of the tree of callers: a function together with the chain of its callers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Node(u32);

/// The tree of one core. The root stands for no function.
#[derive(Debug)]
pub struct Flame {
    nodes: Vec<Stack>,
    callees: FxHashMap<(Node, Name), Node>,
    last_ps: u64,
    /// The number of calls whose time counts as their callers'.
    dropped: u64,
}

/// A node's function, and the time spent in the function itself.
#[derive(Debug, Default)]
struct Stack {
    caller: Node,
    name: Name,
    own_ps: u64,
    depth: u16,
}

impl Default for Flame {
    fn default() -> Flame {
        let nodes = vec![Stack::default()];
        Flame { nodes, callees: FxHashMap::default(), last_ps: 0, dropped: 0 }
    }
}

impl Flame {
    /// Adds the time since the last call of this function to a node.
    pub fn spend(&mut self, at: Node, now_ps: u64) {
        self.nodes[at.0 as usize].own_ps += now_ps.saturating_sub(self.last_ps);
        self.last_ps = self.last_ps.max(now_ps);
    }

    pub fn call(&mut self, from: Node, name: Name) -> Node {
        if let Some(&node) = self.callees.get(&(from, name)) {
            return node;
        }
        let depth = self.nodes[from.0 as usize].depth + 1;
        if self.nodes.len() > MOST_STACKS || depth > DEEPEST {
            self.dropped += 1;
            return from;
        }
        let node = Node(self.nodes.len() as u32);
        self.callees.insert((from, name), node);
        self.nodes.push(Stack { caller: from, name, own_ps: 0, depth });
        node
    }

    /// Writes a line for each stack with time of its own, as `outer;inner 12` (nanoseconds).
    /// Returns the number of calls and stacks that have no line of their own.
    pub fn write(&self, names: &Names, before: &str, to: &mut impl Write) -> Result<u64> {
        let (mut left, mut dropped) = (MOST_BYTES, self.dropped);
        for stack in self.nodes[1..].iter().filter(|stack| stack.own_ps >= 1000) {
            let line = format!("{} {}\n", self.path(stack, names, before), stack.own_ps / 1000);
            match left.checked_sub(line.len()) {
                Some(rest) => left = rest,
                None => {
                    dropped += 1;
                    continue;
                }
            }
            to.write_all(line.as_bytes())?;
        }
        Ok(dropped)
    }

    fn path(&self, stack: &Stack, names: &Names, before: &str) -> String {
        let mut path = vec![names.text(stack.name)];
        let mut from = stack.caller;
        while from != Node(0) {
            let outer = &self.nodes[from.0 as usize];
            path.push(names.text(outer.name));
            from = outer.caller;
        }
        path.push(before);
        path.reverse();
        path.join(";")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beyond_the_bounds_counts_as_its_callers() {
        let mut flame = Flame::default();
        let mut node = Node(0);
        for _ in 0..3 * u32::from(DEEPEST) {
            node = flame.call(node, Name(1));
        }
        assert_eq!(flame.nodes[node.0 as usize].depth, DEEPEST);
        assert_eq!(flame.dropped, 2 * u64::from(DEEPEST));
        for name in 0..2 * MOST_STACKS as u32 {
            flame.call(Node(0), Name(name));
        }
        assert_eq!(flame.nodes.len(), MOST_STACKS + 1);
        flame.spend(node, 5_000);
        assert_eq!(flame.nodes[node.0 as usize].own_ps, 5_000, "and no time is lost");
    }
}
