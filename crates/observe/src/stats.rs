//! Statistics of all blocks as one tree of integers.
//!
//! A block counts in a plain struct of its own. [`Statistic::of`] turns any such struct into a
//! tree without knowing it; a floating-point number anywhere is refused, so that no result can
//! depend on rounding.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A number, or named or numbered statistics below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Statistic {
    Count(u64),
    List(Vec<Statistic>),
    Group(BTreeMap<String, Statistic>),
}

/// The error for a value that is no statistic, such as a floating-point number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StatisticError {
    #[error("{path} is {value}: statistics are unsigned integers")]
    NotACount { path: String, value: String },
    #[error("the statistics cannot be encoded: {0}")]
    Encoding(String),
}

impl Statistic {
    /// The tree of a struct of integers, lists and structs. Booleans count as 0 and 1, `None`
    /// is left out.
    pub fn of<T: Serialize + ?Sized>(counters: &T) -> Result<Statistic, StatisticError> {
        let value = serde_json::to_value(counters)
            .map_err(|error| StatisticError::Encoding(error.to_string()))?;
        from_value(value, "statistics")
    }

    /// A group of named statistics.
    pub fn group<N: Into<String>>(parts: impl IntoIterator<Item = (N, Statistic)>) -> Statistic {
        Statistic::Group(parts.into_iter().map(|(name, part)| (name.into(), part)).collect())
    }

    /// The statistic at a dotted path, as [`Statistic::flatten`] names it.
    pub fn get(&self, path: &str) -> Option<&Statistic> {
        path.split('.').try_fold(self, |at, name| match at {
            Statistic::Group(parts) => parts.get(name),
            Statistic::List(parts) => parts.get(name.parse::<usize>().ok()?),
            Statistic::Count(_) => None,
        })
    }

    /// The number, if this is one.
    pub fn count(&self) -> Option<u64> {
        if let Statistic::Count(count) = self { Some(*count) } else { None }
    }

    /// Adds the numbers of another tree of the same shape; what only one of them has is kept.
    pub fn add(&mut self, other: &Statistic) {
        match (self, other) {
            (Statistic::Count(sum), Statistic::Count(more)) => *sum = sum.saturating_add(*more),
            (Statistic::List(sums), Statistic::List(more)) => {
                for (sum, part) in sums.iter_mut().zip(more) {
                    sum.add(part);
                }
                let rest = more.get(sums.len()..).unwrap_or_default();
                sums.extend_from_slice(rest);
            }
            (Statistic::Group(sums), Statistic::Group(more)) => {
                for (name, part) in more {
                    match sums.get_mut(name) {
                        Some(sum) => sum.add(part),
                        None => {
                            sums.insert(name.clone(), part.clone());
                        }
                    }
                }
            }
            (at, other) => panic!("{at:?} and {other:?} have different shapes"),
        }
    }

    /// The sum over trees of the same shape.
    pub fn total<'a>(parts: impl IntoIterator<Item = &'a Statistic>) -> Option<Statistic> {
        let mut parts = parts.into_iter();
        let mut sum = parts.next()?.clone();
        parts.for_each(|part| sum.add(part));
        Some(sum)
    }

    /// Every number with its dotted path, in the order of the tree.
    pub fn flatten(&self) -> Vec<(String, u64)> {
        let mut flat = Vec::new();
        self.flatten_below("", &mut flat);
        flat
    }

    fn flatten_below(&self, path: &str, flat: &mut Vec<(String, u64)>) {
        let below = |name: &str| {
            if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
        };
        match self {
            Statistic::Count(count) => flat.push((path.to_owned(), *count)),
            Statistic::List(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    part.flatten_below(&below(&index.to_string()), flat);
                }
            }
            Statistic::Group(parts) => {
                for (name, part) in parts {
                    part.flatten_below(&below(name), flat);
                }
            }
        }
    }
}

fn from_value(value: Value, path: &str) -> Result<Statistic, StatisticError> {
    let refuse = |value: &Value| StatisticError::NotACount {
        path: path.to_owned(),
        value: value.to_string(),
    };
    Ok(match value {
        Value::Bool(flag) => Statistic::Count(u64::from(flag)),
        Value::Number(ref number) => {
            Statistic::Count(number.as_u64().ok_or_else(|| refuse(&value))?)
        }
        Value::Array(parts) => {
            let parts = parts.into_iter().enumerate();
            let tree = parts.map(|(index, part)| from_value(part, &format!("{path}.{index}")));
            Statistic::List(tree.collect::<Result<_, _>>()?)
        }
        Value::Object(parts) => {
            let mut tree = BTreeMap::new();
            for (name, part) in parts.into_iter().filter(|(_, part)| !part.is_null()) {
                let part = from_value(part, &format!("{path}.{name}"))?;
                tree.insert(name, part);
            }
            Statistic::Group(tree)
        }
        Value::Null | Value::String(_) => return Err(refuse(&value)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Caches {
        fills: u64,
        by_way: [u32; 2],
        spare: Option<u64>,
    }

    #[derive(Serialize)]
    struct Core {
        caches: Caches,
        halted: bool,
    }

    fn core(fills: u64) -> Statistic {
        let caches = Caches { fills, by_way: [1, 2], spare: None };
        Statistic::of(&Core { caches, halted: true }).unwrap()
    }

    #[test]
    fn structs_become_a_tree_and_a_list() {
        let tree = Statistic::group([("core", Statistic::List(vec![core(5)]))]);
        let flat = tree.flatten();
        let names: Vec<&str> = flat.iter().map(|(name, _)| name.as_str()).collect();
        let expected = [
            "core.0.caches.by_way.0",
            "core.0.caches.by_way.1",
            "core.0.caches.fills",
            "core.0.halted",
        ];
        assert_eq!(names, expected);
        assert_eq!(tree.get("core.0.caches.fills").and_then(Statistic::count), Some(5));
        assert_eq!(tree.get("core.1.caches"), None);
        let json = serde_json::to_string(&tree).unwrap();
        assert_eq!(serde_json::from_str::<Statistic>(&json).unwrap(), tree);
    }

    #[test]
    fn totals_add_number_by_number() {
        let total = Statistic::total(&[core(5), core(7), core(1)]).unwrap();
        assert_eq!(total.get("caches.fills").and_then(Statistic::count), Some(13));
        assert_eq!(total.get("caches.by_way.1").and_then(Statistic::count), Some(6));
        assert_eq!(Statistic::total(&[]), None);
    }

    #[test]
    fn floating_point_and_text_are_refused_by_name() {
        #[derive(Serialize)]
        struct Rate {
            hits: f64,
        }
        let error = Statistic::of(&Rate { hits: 0.5 }).unwrap_err();
        assert!(error.to_string().contains("statistics.hits"), "{error}");
        assert!(Statistic::of(&["a"]).is_err());
        assert!(Statistic::of(&[-1]).is_err());
    }
}
