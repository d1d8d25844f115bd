"""An access of a finding in words: its function, its line, its value."""

from __future__ import annotations

from pathlib import PurePath

from rockcreek.formats.findings import Frame, Site

CXX_FOLDER = "/include/c++/"  # C++'s own headers


def own_frame(site: Site) -> Frame | None:
    """The frame of the program's own code in which an access was made."""
    return site["frames"][site["place"]] if site["frames"] else None


def through_cxx(site: Site) -> bool:
    """True if C++'s library did it for the program's code, as a container does."""
    within = site["frames"][: site["place"]]
    return any(CXX_FOLDER in (frame["file"] or "") for frame in within)


def name(frame: Frame | None) -> str:
    """A frame in words: `main (half_a_line.c:9)`."""
    if frame is None:
        return "code without a name"
    if frame["function"] is None:
        return f"0x{frame['eip']:08x}"
    if frame["line"] is None:
        return f"{frame['function']} (0x{frame['eip']:08x})"
    return f"{frame['function']} ({PurePath(frame['file'] or '').name}:{frame['line']})"


def where(site: Site) -> str:
    """Where in the program an access was made, in words; `end`: no line of it did, but the end of a
    thread or of a parallel region."""
    frame = own_frame(site)
    end = site.get("end")
    if end is None:
        return name(frame)
    what = "the end of the parallel region" if end == "region" else "the end of a thread"
    if frame is None or frame["function"] is None:
        return what
    # Clang calls a region's function after the one around it.
    function = frame["function"].partition(".omp_outlined")[0]
    return f"{what} in {name({**frame, 'function': function})}"


def line_of(site: Site) -> str:
    """`half_a_line.c:9`, or the function where no line is known."""
    frame = own_frame(site)
    if site.get("end") is not None or frame is None or frame["line"] is None:
        return where(site)
    return f"{PurePath(frame['file'] or '').name}:{frame['line']}"


def value(site: Site) -> str:
    """The value that was read or written, in hexadecimal; `it` if the value is not known."""
    return "it" if site["value"] is None else f"{site['value']:#x}"
