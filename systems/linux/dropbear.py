"""dropbear, the ssh server and client of the root file system, and the key of the cores' servers.

dropbear makes the key on a simulated core, whose random source begins with the core's number: equal
sources and engines give an equal key. So it is no secret, and neither is a session's key.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.foreign import NICE, RCK, StepError, put, run

PROGRAMS = ("dropbear", "dbclient", "dropbearkey", "scp")
KEY = "etc/dropbear/dropbear_ed25519_host_key"
# One file has all programs, and asks its own name.
FILE = "usr/sbin/dropbear"
LINKS = ("usr/bin/dbclient", "usr/bin/ssh", "usr/bin/dropbearkey", "usr/bin/scp")


@dataclass(frozen=True)
class Server:
    """The program, the private key of every core's server, and its public half in one line."""

    program: bytes
    key: bytes
    public: str

    def known_hosts(self, names: Sequence[str]) -> str:
        """What a client needs so that it asks nobody whether it may trust one of these.

        >>> Server(b"", b"", "ssh-ed25519 AAAA").known_hosts(["rck00"])
        'rck00 ssh-ed25519 AAAA\\n'
        """
        return "".join(f"{name} {self.public}\n" for name in names)


def build(
    source: Path,
    folder: Path,
    commands: Mapping[str, str],
    description: Mapping[str, Sequence[str]],
    base: str,
    jobs: int,
) -> Server:
    """The server, compiled if its settings or compiler are others than before."""
    log, stamp = folder / "dropbear.log", source / ".settings"
    options = "".join(f"#define {line}\n" for line in description["options"])
    wanted = repr([options, description["configure"], base, Path(commands["CC"]).read_text()])
    words = [f"PROGRAMS={' '.join(PROGRAMS)}", "MULTI=1", "STATIC=1"]
    if not (stamp.is_file() and stamp.read_text() == wanted):
        put(source / "localoptions.h", options)
        given = [*(f"{name}={text}" for name, text in commands.items()), "CFLAGS=-O2 -w"]
        given.append(f"LDFLAGS={base} -s")
        run([*NICE, "./configure", *description["configure"], *given], source, log)
        run(["make", *words, "clean"], source, log)
        stamp.write_text(wanted)
    run([*NICE, "make", *words, f"-j{jobs}", "dropbearmulti"], source, log)
    program = source / "dropbearmulti"
    return Server(program.read_bytes(), *_key(program, folder / "dropbear-key"))


def _key(program: Path, folder: Path) -> tuple[bytes, str]:
    """The key's file and its public line, made by `dropbearkey` on core 0."""
    folder.mkdir(exist_ok=True)
    file = folder / "key"
    file.unlink(missing_ok=True)
    command = [RCK, "run", "-q", "--share", str(folder), str(program)]
    command += ["dropbearkey", "-t", "ed25519", "-f", "/key"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    public = [line for line in done.stdout.splitlines() if line.startswith("ssh-ed25519 ")]
    if done.returncode != 0 or len(public) != 1 or not file.is_file():
        raise StepError(f"dropbearkey made no key on a core: {done.stderr.strip()[-500:]}")
    return file.read_bytes(), public[0].rsplit(" ", 1)[0]
