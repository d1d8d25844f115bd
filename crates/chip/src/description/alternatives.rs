//! Values on which sources disagree. A parameter may list other values besides its default, and the
//! table `setup` may choose one of them: `choose = { "timing.memory.access" = "guide" }`.

use toml::{Table, Value};

use crate::description::DescriptionError;

const KEY: &str = "setup.choose";

fn error(problem: String) -> DescriptionError {
    DescriptionError { key: KEY.into(), problem }
}

/// Removes `setup.choose` from a description, and gives each parameter that it names the chosen
/// value. `Err` if a parameter or value is not among those that the description lists.
pub(crate) fn choose(root: &mut Table) -> Result<(), DescriptionError> {
    let setup = root.get_mut("setup").and_then(Value::as_table_mut);
    let Some(choices) = setup.and_then(|setup| setup.remove("choose")) else { return Ok(()) };
    let Value::Table(choices) = choices else {
        return Err(error(format!("is a {}; it must be a table", choices.type_str())));
    };
    for (parameter, name) in &choices {
        let name = name.as_str().ok_or_else(|| error(format!("{parameter}: must be a name")))?;
        choose_one(root, parameter, name)?;
    }
    Ok(())
}

fn choose_one(root: &mut Table, parameter: &str, name: &str) -> Result<(), DescriptionError> {
    let mut entry = Some(root);
    for part in parameter.split('.') {
        entry = entry.and_then(|table| table.get_mut(part)).and_then(Value::as_table_mut);
    }
    let alternatives = |entry: &&mut Table| entry.get("alternatives")?.as_table().cloned();
    let Some((entry, known)) = entry.and_then(|entry| alternatives(&entry).map(|a| (entry, a)))
    else {
        return Err(error(format!("{parameter} is no parameter with alternatives")));
    };
    let Some(value) = known.get(name) else {
        let names = known.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        return Err(error(format!("{parameter} has no alternative \"{name}\"; allowed: {names}")));
    };
    entry.insert("value".into(), value.clone());
    Ok(())
}
