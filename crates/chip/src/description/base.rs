//! Descriptions that contain only their differences from another one: `base = "scc"`.
//!
//! A table is merged into the base's table of that name. A parameter (a table with a `value`) and a
//! list replace the base's.

use toml::{Table, Value};

use crate::description::DescriptionError;

const KEY: &str = "base";
/// The name and the text of the one description that may be a base.
const BASE: (&str, &str) = ("scc", include_str!("../../../../machine/presets/scc.toml"));

fn merge(base: &mut Table, changes: Table) {
    for (key, change) in changes {
        match (base.get_mut(&key), change) {
            (Some(Value::Table(table)), Value::Table(changes))
                if !changes.contains_key("value") =>
            {
                merge(table, changes);
            }
            (_, change) => {
                base.insert(key, change);
            }
        }
    }
}

/// The whole description: `changes` merged into its base, if it names one.
pub(crate) fn complete(mut changes: Table) -> Result<Table, DescriptionError> {
    let error = |problem| DescriptionError { key: KEY.into(), problem };
    let Some(name) = changes.remove(KEY) else { return Ok(changes) };
    let (base, text) = BASE;
    if name.as_str() != Some(base) {
        return Err(error(format!("is {name}; allowed: \"{base}\"")));
    }
    let mut base = text.parse().map_err(|_| error("is not TOML".into()))?;
    merge(&mut base, changes);
    Ok(base)
}
