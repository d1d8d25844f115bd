"""The root file system of Linux on a core: busybox, dropbear, our programs, files of root/etc."""

from __future__ import annotations

from pathlib import Path

import dropbear

from rockcreek.booting import cpio
from rockcreek.booting.cpio import DEVICE, DIRECTORY, LINK, PROGRAM, TEXT, Entry

CORES = 48
FOLDERS = (
    "bin",
    "sbin",
    "dev",
    "etc",
    "etc/dropbear",
    "host",
    "proc",
    "program",
    "root",
    "root/.ssh",
    "stdin",
    "sys",
    "tmp",
    "usr",
    "usr/bin",
)
FOLDERS += ("usr/sbin", "var", "var/run", "var/log")


def build(
    folder: Path,
    busybox: Path,
    links: list[str],
    programs: dict[str, bytes],
    server: dropbear.Server,
) -> bytes:
    """The archive."""
    entries = [Entry(name, DIRECTORY) for name in FOLDERS]
    entries.append(Entry("dev/console", DEVICE, device=(5, 1)))
    entries.append(Entry("bin/busybox", PROGRAM, busybox.read_bytes()))
    known = {"/bin/busybox", *(f"/bin/{name}" for name in programs)}
    for link in sorted(set(links) - known):
        if str(Path(link).parent)[1:] in FOLDERS:
            entries.append(Entry(link[1:], LINK, b"/bin/busybox"))
    entries.append(Entry("init", LINK, b"/sbin/init"))
    for name, data in programs.items():
        entries.append(Entry(f"bin/{name}", PROGRAM, data))
    for path in sorted((folder / "etc").iterdir()):
        mode = PROGRAM if path.read_bytes().startswith(b"#!") else TEXT
        entries.append(Entry(f"etc/{path.name}", mode, path.read_bytes()))
    entries.append(Entry("etc/hosts", TEXT, hosts().encode()))
    entries.append(Entry(dropbear.FILE, PROGRAM, server.program))
    for link in dropbear.LINKS:
        entries.append(Entry(link, LINK, f"/{dropbear.FILE}".encode()))
    entries.append(Entry(dropbear.KEY, TEXT, server.key))
    known_hosts = server.known_hosts([f"rck{n:02}" for n in range(CORES)])
    entries.append(Entry("root/.ssh/known_hosts", TEXT, known_hosts.encode()))
    return cpio.archive(entries)


def hosts() -> str:
    """Names of all cores, as the chip's own Linux had them.

    >>> hosts().splitlines()[2]
    '192.168.0.2 rck01'
    """
    lines = ["127.0.0.1 localhost", *(f"192.168.0.{n + 1} rck{n:02}" for n in range(CORES))]
    lines.append("192.168.1.254 pc")
    return "\n".join(lines) + "\n"
