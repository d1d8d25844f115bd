//! Reads one table of a chip description key by key, and reports keys that have not been read as
//! errors.

use std::ops::RangeInclusive;

use toml::{Table, Value};

use crate::description::DescriptionError;
use crate::description::timing::LONGEST_CYCLES;

/// A table from which each key is removed when it is read.
pub(crate) struct Reader {
    path: String,
    table: Table,
}

impl Reader {
    pub fn new(path: &str, table: Table) -> Reader {
        Reader { path: path.into(), table }
    }

    fn path(&self, key: &str) -> String {
        if self.path.is_empty() { key.into() } else { format!("{}.{key}", self.path) }
    }

    pub fn error(&self, key: &str, problem: String) -> DescriptionError {
        DescriptionError { key: self.path(key), problem }
    }

    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    fn take(&mut self, key: &str) -> Result<Value, DescriptionError> {
        self.table.remove(key).ok_or_else(|| self.error(key, "is missing".into()))
    }

    fn wrong(&self, key: &str, value: &Value, wanted: &str) -> DescriptionError {
        self.error(key, format!("is a {}; it must be {wanted}", value.type_str()))
    }

    pub fn integer(&mut self, key: &str) -> Result<i64, DescriptionError> {
        match self.take(key)? {
            Value::Integer(value) => Ok(value),
            other => Err(self.wrong(key, &other, "an integer")),
        }
    }

    pub fn text(&mut self, key: &str) -> Result<String, DescriptionError> {
        match self.take(key)? {
            Value::String(value) => Ok(value),
            other => Err(self.wrong(key, &other, "a string")),
        }
    }

    pub fn table(&mut self, key: &str) -> Result<Reader, DescriptionError> {
        match self.take(key)? {
            Value::Table(table) => Ok(Reader { path: self.path(key), table }),
            other => Err(self.wrong(key, &other, "a table")),
        }
    }

    /// Reads the sub-table `key` by `read`, which must read all its keys: a key left over is an
    /// error.
    pub fn section<T>(
        &mut self,
        key: &str,
        read: impl FnOnce(&mut Reader) -> Result<T, DescriptionError>,
    ) -> Result<T, DescriptionError> {
        let mut section = self.table(key)?;
        let value = read(&mut section)?;
        section.finish()?;
        Ok(value)
    }

    /// Reads the sub-table `key`, or returns the default if it is missing. `read` must read all its
    /// keys.
    pub fn optional_section<T: Default>(
        &mut self,
        key: &str,
        read: impl FnOnce(&mut Reader) -> Result<T, DescriptionError>,
    ) -> Result<T, DescriptionError> {
        if self.has(key) { self.section(key, read) } else { Ok(T::default()) }
    }

    /// Reads the array of tables under `key`: a [`Reader`] for each of its tables. An error if the
    /// key has another type.
    pub fn tables(&mut self, key: &str) -> Result<Vec<Reader>, DescriptionError> {
        let wanted = "an array of tables";
        let items = match self.take(key)? {
            Value::Array(items) => items,
            other => return Err(self.wrong(key, &other, wanted)),
        };
        let mut readers = Vec::new();
        for (n, item) in items.into_iter().enumerate() {
            match item {
                Value::Table(table) => {
                    readers.push(Reader { path: format!("{}[{n}]", self.path(key)), table });
                }
                other => return Err(self.wrong(key, &other, wanted)),
            }
        }
        Ok(readers)
    }

    /// Reads a bare integer (without unit and source), such as a coordinate; an error if it is
    /// outside `allowed`.
    pub fn plain(
        &mut self,
        key: &str,
        allowed: RangeInclusive<u64>,
    ) -> Result<u64, DescriptionError> {
        let value = self.integer(key)?;
        self.check(key, value, allowed)
    }

    fn check(
        &self,
        key: &str,
        value: i64,
        allowed: RangeInclusive<u64>,
    ) -> Result<u64, DescriptionError> {
        let outside = || {
            let (least, most) = (allowed.start(), allowed.end());
            self.error(key, format!("is {value}; allowed: {least} to {most}"))
        };
        u64::try_from(value).ok().filter(|value| allowed.contains(value)).ok_or_else(outside)
    }

    /// Checks the table's own `source`: at least one key of the bibliography.
    pub fn sources(&mut self) -> Result<(), DescriptionError> {
        let value = self.take("source")?;
        let keys = value.as_array().filter(|keys| !keys.is_empty());
        if keys.is_some_and(|keys| keys.iter().all(Value::is_str)) {
            Ok(())
        } else {
            Err(self.error("source", "must be a list of keys of docs/sources.bib".into()))
        }
    }

    /// Reads the `value` of an entry, whose `unit` must be `unit` and which must have a source.
    fn value(&mut self, key: &str, unit: &str) -> Result<Value, DescriptionError> {
        let mut entry = self.table(key)?;
        let given = entry.text("unit")?;
        if given != unit {
            return Err(entry.error("unit", format!("is \"{given}\"; allowed: \"{unit}\"")));
        }
        entry.sources()?;
        for remark in ["note", "fit", "held_out", "alternatives"] {
            entry.table.remove(remark);
        }
        let value = entry.take("value")?;
        entry.finish()?;
        Ok(value)
    }

    /// Reads a number with unit and source; an error if its unit is not `unit` or it is outside
    /// `allowed`.
    pub fn number(
        &mut self,
        key: &str,
        unit: &str,
        allowed: RangeInclusive<u64>,
    ) -> Result<u64, DescriptionError> {
        match self.value(key, unit)? {
            Value::Integer(value) => self.check(key, value, allowed),
            other => Err(self.wrong(key, &other, "an integer")),
        }
    }

    /// Reads a number of cycles, from 0 to `LONGEST_CYCLES`.
    pub fn cycles(&mut self, key: &str, unit: &str) -> Result<u32, DescriptionError> {
        Ok(self.number(key, unit, 0..=LONGEST_CYCLES)? as u32)
    }

    /// Reads a number that may be negative, with unit and source; an error if it is outside
    /// `allowed`.
    pub fn signed(
        &mut self,
        key: &str,
        unit: &str,
        allowed: RangeInclusive<i64>,
    ) -> Result<i64, DescriptionError> {
        match self.value(key, unit)? {
            Value::Integer(value) if allowed.contains(&value) => Ok(value),
            Value::Integer(value) => {
                let (least, most) = (allowed.start(), allowed.end());
                Err(self.error(key, format!("is {value}; allowed: {least} to {most}")))
            }
            other => Err(self.wrong(key, &other, "an integer")),
        }
    }

    /// Reads a name with a source (`unit = "name"`).
    pub fn word(&mut self, key: &str) -> Result<String, DescriptionError> {
        match self.value(key, "name")? {
            Value::String(value) => Ok(value),
            other => Err(self.wrong(key, &other, "a string")),
        }
    }

    /// Reads a name; returns the value that `names` pairs with it.
    pub fn choice<T: Copy>(
        &mut self,
        key: &str,
        names: impl AsRef<[(&'static str, T)]>,
    ) -> Result<T, DescriptionError> {
        let (word, names) = (self.word(key)?, names.as_ref());
        if let Some((_, value)) = names.iter().find(|(name, _)| *name == word) {
            return Ok(*value);
        }
        let allowed: Vec<_> = names.iter().map(|(name, _)| *name).collect();
        Err(self.error(key, format!("is \"{word}\"; allowed: {}", allowed.join(", "))))
    }

    /// Reads a name that must be `allowed`: sources leave the choice open, but the model supports
    /// only one value.
    pub fn only(&mut self, key: &str, allowed: &str) -> Result<(), DescriptionError> {
        match self.word(key)? {
            word if word == allowed => Ok(()),
            word => Err(self.error(key, format!("is \"{word}\"; allowed: {allowed}"))),
        }
    }

    /// Returns an error that names a key of this table that has not been read, if there is one.
    pub fn finish(self) -> Result<(), DescriptionError> {
        match self.table.keys().next() {
            Some(key) => Err(self.error(key, "is not a key of a chip description".into())),
            None => Ok(()),
        }
    }
}
