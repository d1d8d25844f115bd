//! Symbolic links that a guest plants: none leads out, whoever follows it later and from wherever.
//!
//! A target that a guest may give climbs first and then descends: `..` any number of times, then
//! names. It stays inside as long as the link lies at least so deep as it climbs, whatever the
//! names on its way become later: each is a directory, or a link to which the same applies. (A
//! `..` behind a name would climb from wherever that name leads.) So a link is looked at when it
//! is made, when it gets another name, and when a directory above it moves.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use crate::errno::{EINVAL, ENOENT, ENOTDIR, EXDEV, Errno, LEADS_OUT};
use crate::listing::Kind;
use crate::share::Share;

/// Entries of a directory tree that are looked at before it moves. A larger one is EXDEV, as if the
/// new place were on another file system: `mv` then makes each entry anew.
const MOST_ENTRIES: usize = 100_000;

impl Share {
    /// The target of a link that a guest makes at `path`.
    pub(crate) fn planted<'a>(&self, path: &Path, target: &'a [u8]) -> Result<&'a Path, Errno> {
        let name = as_path(target)?;
        self.refuse_link_above(path)?;
        if !stays_inside(depth(path), target) {
            return Err(LEADS_OUT);
        }
        // A link of the host's user on the way may lead out.
        let from = path.parent().unwrap_or(Path::new(""));
        self.refuse_if_led_out(&from.join(name))?;
        Ok(name)
    }

    /// Refuses to move, or to give another name, what would bring a link that leads out to `to`.
    pub(crate) fn refuse_planting(&self, from: &Path, to: &Path) -> Result<(), Errno> {
        let kind = Kind::of(self.metadata(from)?.file_type());
        self.refuse_link_above(to)?;
        let mut seen = 0;
        let mut left = vec![(from.to_owned(), kind, depth(to))];
        while let Some((path, kind, depth)) = left.pop() {
            match kind {
                Kind::Symlink if !stays_inside(depth, &self.target(&path)?) => {
                    return Err(LEADS_OUT);
                }
                Kind::Directory => {
                    for entry in self.entries(&path)? {
                        let entry = entry?;
                        seen += 1;
                        if seen > MOST_ENTRIES {
                            return Err(EXDEV);
                        }
                        let kind = Kind::of(entry.file_type()?);
                        if matches!(kind, Kind::Symlink | Kind::Directory) {
                            left.push((path.join(entry.file_name()), kind, depth + 1));
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Refuses a path of which a part has become a link since a fid was walked there: its depth
    /// would not be what its names say.
    fn refuse_link_above(&self, path: &Path) -> Result<(), Errno> {
        for above in path.ancestors().skip(1) {
            if !self.metadata(above)?.is_dir() {
                return Err(ENOTDIR);
            }
        }
        Ok(())
    }

    /// Returns the target of a symbolic link. A target whose text leads out of the folder is
    /// withheld, because it may be a path of the host.
    pub(crate) fn read_symlink(&self, path: &Path) -> Result<PathBuf, Errno> {
        if !self.metadata(path)?.file_type().is_symlink() {
            return Err(EINVAL);
        }
        let target = self.target(path)?;
        if !is_inside_by_words(depth(path), &target) {
            return Err(LEADS_OUT);
        }
        Ok(as_path(&target)?.to_owned())
    }

    fn target(&self, path: &Path) -> Result<Vec<u8>, Errno> {
        Ok(self.link_contents(path)?.into_os_string().into_vec())
    }
}

/// The number of directories between the shared folder and the entry with this path.
fn depth(path: &Path) -> usize {
    path.components().count().saturating_sub(1)
}

fn as_path(target: &[u8]) -> Result<&Path, Errno> {
    if target.is_empty() || target.contains(&0) {
        return Err(if target.is_empty() { ENOENT } else { EINVAL });
    }
    Ok(Path::new(OsStr::from_bytes(target)))
}

/// The names of a target, without what stands for nothing; none of an absolute one.
fn names(target: &[u8]) -> Option<impl Iterator<Item = &[u8]>> {
    let all = target.split(|&byte| byte == b'/');
    (!target.starts_with(b"/")).then(|| all.filter(|name| !matches!(*name, b"" | b".")))
}

/// True if a link at this depth leads inside the folder, wherever the names of its target lead.
fn stays_inside(depth: usize, target: &[u8]) -> bool {
    let Some(names) = names(target) else { return false };
    let mut names = names.skip_while({
        let mut left = depth;
        move |name| *name == b".." && left.checked_sub(1).map(|less| left = less).is_some()
    });
    !names.any(|name| name == b"..")
}

/// True if a link at this depth leads inside the folder if the target's names are directories.
fn is_inside_by_words(depth: usize, target: &[u8]) -> bool {
    let Some(mut names) = names(target) else { return false };
    let step = |depth: usize, name: &[u8]| match name {
        b".." => depth.checked_sub(1),
        _ => Some(depth + 1),
    };
    names.try_fold(depth, step).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_climbs_first_and_no_higher_than_the_folder() {
        for (depth, target, stays) in [
            (0, "a/b", true),
            (0, ".", true),
            (0, "..", false),
            (1, "..", true),
            (2, "./../..//a", true),
            (2, "../../..", false),
            (5, "a/../b", false),
            (5, "../a/..", false),
            (5, "/a", false),
        ] {
            assert_eq!(stays_inside(depth, target.as_bytes()), stays, "{depth} {target}");
        }
    }
}
