"""Headers of the C library for a time_t of 32 bits beside that of 64.

musl keeps the functions of the time when its time_t had 32 bits (`compat/time32`) under their plain
names, and its headers send programs to those of 64 bits. Where `_TIME_BITS` is 32 they do not,
and the types are those of that time.
"""

from __future__ import annotations

from pathlib import Path

CHOICE = """\
#if defined(_TIME_BITS) && _TIME_BITS != 32 && _TIME_BITS != 64
#error "_TIME_BITS is 32 or 64"
#endif
#if defined(_TIME_BITS) ? _TIME_BITS == 32 : defined(__ROCKCREEK_TIME32)
#define _Time long
#else
#define _REDIR_TIME64 1
#define _Time _Int64
#endif
"""
# The members of `struct stat`: times of 32 bits, whose place comes first, and those of 64.
NARROW = """\
\tstruct {
\t\tlong tv_sec;
\t\tlong tv_nsec;
\t} __st_atim32, __st_mtim32, __st_ctim32;
"""
INODE = "\tino_t st_ino;\n"
TIMES = "".join(f"\tstruct timespec st_{which}tim;\n" for which in "amc")
WIDE = NARROW + INODE + TIMES
# Each is in its header once.
CHANGES = {
    "bits/alltypes.h": {
        "#define _REDIR_TIME64 1\n": CHOICE,
        "typedef _Int64 time_t;": "typedef _Time time_t;",
        "typedef _Int64 suseconds_t;": "typedef _Time suseconds_t;",
        "#undef _Int64": "#undef _Int64\n#undef _Time",
    },
    "bits/stat.h": {
        WIDE: f"#if _REDIR_TIME64\n{WIDE}#else\n{TIMES}{INODE}#endif\n",
    },
}


def offer_both(include: Path) -> None:
    """Change the headers in a folder; one that is not as expected ends the build."""
    for name, changes in CHANGES.items():
        path = include / name
        text = path.read_text(encoding="utf-8")
        for old, new in changes.items():
            if text.count(old) != 1:
                raise RuntimeError(f"{path}: not once: {old!r}")
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
